import { TestBrowser, type Visitor } from './testing/browser.js';
import { lookAt } from './testing/looks.js';
import { loaded } from './testing/screens.js';
import { TestService } from './testing/test-service.js';

/** Empty lists, with the button that begins them, and the dialog or screen to which it leads. */
const LISTS = [
  { address: '/domains/empty.com/mailboxes', begin: 'Add the first mailbox', dialog: 'Add a mailbox' },
  { address: '/domains/empty.com/aliases', begin: 'Add the first alias', dialog: 'Add an alias' },
  { address: '/suppressions', begin: 'Add the first addresses', dialog: 'Do not send to these addresses' },
  { address: '/keys', begin: 'Create the first key', dialog: 'Create a key' },
  { address: '/links', begin: 'Create the first link', dialog: 'Create a link' },
  { address: '/webhooks', begin: 'Add the first webhook', dialog: 'Add a webhook' },
];

describe('an empty list', () => {
  let service: TestService;
  let browser: TestBrowser;
  let visitor: Visitor;
  let token: string;

  beforeAll(async () => {
    [service, browser] = await Promise.all([TestService.start('sqlite'), TestBrowser.start()]);
    token = await service.key('acme');
    await service.call('POST', '/domains/', { name: 'empty.com' }, token);
    visitor = await browser.enter(service.url, token);
  });
  afterAll(async () => {
    await browser?.close();
    await service?.stop();
  });
  afterEach(() => expect(browser.takeFaults()).toEqual([]));

  it.each(LISTS)('at $address has the button to begin it', async ({ address, begin, dialog }) => {
    const { page } = visitor;
    await visitor.goTo(address);
    await page.getByRole('button', { name: begin, exact: true }).waitFor();
    await lookAt(browser, visitor, `${address}, empty`);
    await page.getByRole('button', { name: begin, exact: true }).click();
    await page.getByRole('dialog', { name: dialog }).waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('dialog', { name: dialog }).waitFor({ state: 'detached' });
  });

  it('has no such button for who may only read', async () => {
    const reading = 'reading-key-of-acme-0123456789-abcdef';
    const limits = { mailboxes_per_domain: 1, aliases_per_mailbox: 1 };
    await service.call('POST', '/api-keys/', { token: reading, partner_ref: 'acme', scope: 'read', ...limits });
    const reader = await browser.enter(service.url, reading);
    for (const { address, begin } of LISTS) {
      await reader.goTo(address);
      await loaded(reader);
      expect([address, await reader.page.getByRole('button', { name: begin }).count()]).toEqual([address, 0]);
    }
    await reader.context.close();
  });

  it('leaves what is shown once in sight when it ends, and gives the focus to the button that stays', async () => {
    const { page } = visitor;
    await visitor.goTo('/links');
    await page.getByRole('button', { name: 'Create the first link' }).click();
    const dialog = page.getByRole('dialog', { name: 'Create a link' });
    await dialog.getByLabel('Domain').fill('empty.com');
    await dialog.getByRole('button', { name: 'Create' }).last().click();
    await dialog.getByText('The link to empty.com').waitFor();
    await page.getByRole('row', { name: 'empty.com', includeHidden: true }).waitFor({ state: 'attached' });
    await dialog.getByText('The link to empty.com').waitFor();
    await dialog.getByRole('button', { name: 'Close' }).click();
    await dialog.waitFor({ state: 'detached' });
    await page.locator('button:focus', { hasText: 'Create a link' }).waitFor();
  });
});
