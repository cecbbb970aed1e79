import { SIZES, TestBrowser, type Visitor } from './testing/browser.js';
import { lookAt } from './testing/looks.js';
import { TestService } from './testing/test-service.js';

const MAILBOX = 'anna@shared.com';

describe.each(SIZES)('two who change the same, at $at', ({ size }) => {
  let service: TestService;
  let browser: TestBrowser;
  let visitor: Visitor;
  let token: string;

  beforeAll(async () => {
    [service, browser] = await Promise.all([TestService.start('sqlite'), TestBrowser.start()]);
    token = await service.key('acme');
    await service.call('POST', '/domains/', { name: 'shared.com' }, token);
    await service.call('PUT', '/domains/shared.com/plan', { plan: 'enterprise' });
    await service.call('POST', '/users/', { email: MAILBOX, password: 'correct horse battery', name: 'Anna' }, token);
    visitor = await browser.enter(service.url, token, size);
  });
  afterAll(async () => {
    await browser?.close();
    await service?.stop();
  });
  afterEach(() => expect(browser.takeFaults()).toEqual([]));

  const read = (path: string) => service.call('GET', path, undefined, token);
  const other = (path: string, body: object) => service.call('PUT', path, body, token);
  const notice = () => visitor.page.getByRole('alert').filter({ hasText: 'Somebody else has changed this meanwhile' });
  const save = (section: string) =>
    visitor.page.getByRole('region', { name: section, exact: true }).getByRole('button', { name: 'Save', exact: true });

  it('the second is told what the first changed, keeps what it typed, and saves both', async () => {
    const { page } = visitor;
    await visitor.goTo(`/domains/shared.com/mailboxes/${MAILBOX}`);
    await page.getByLabel('Name', { exact: true }).fill('Anna Typed');
    await other(`/users/${MAILBOX}`, { quota_mb: 777, name: 'Anna Other' });
    await save('Settings').click();
    await notice().waitFor();
    expect(await notice().getByRole('listitem').allInnerTexts()).toEqual([
      'Name is now: Anna Other',
      'Storage quota is now: 777',
    ]);
    expect(await page.getByLabel('Name', { exact: true }).inputValue()).toBe('Anna Typed');
    expect(await page.getByLabel('Storage quota').inputValue()).toBe('777');
    expect(await read(`/users/${MAILBOX}`)).toMatchObject({ name: 'Anna Other', quota_mb: 777 });
    await lookAt(browser, visitor, 'A form that somebody else has changed');
    await save('Settings').click();
    await page.getByText('Saved.').waitFor();
    await notice().waitFor({ state: 'detached' });
    expect(await read(`/users/${MAILBOX}`)).toMatchObject({ name: 'Anna Typed', quota_mb: 777 });
  });

  it('a change of what the form does not set stops nothing', async () => {
    const { page } = visitor;
    await visitor.goTo('/domains/shared.com/settings');
    await page.getByLabel('Your own reference').fill('order-17');
    await other('/domains/shared.com', { external_senders: 'refuse' });
    await other('/domains/shared.com/outbound', { daily_limit: 7 });
    await save('Reference').click();
    await save('Reference').and(page.locator(':disabled:not([data-loading])')).waitFor();
    expect(await read('/domains/shared.com')).toMatchObject({ external_ref: 'order-17', external_senders: 'refuse' });
    expect(await notice().count()).toBe(0);
  });

  it('a key that another changed while its dialog is open is compared with what it is now', async () => {
    const { page } = visitor;
    const { id } = await service.call<{ id: number }>('POST', '/me/keys', { name: 'shop' }, token);
    await visitor.goTo('/keys');
    await page.getByRole('button', { name: 'Actions: shop' }).click();
    await page.getByRole('menuitem', { name: 'Change' }).click();
    const dialog = page.getByRole('dialog', { name: 'Change shop' });
    await dialog.getByLabel('The key may').click();
    await page.getByRole('option', { name: 'Read only' }).click();
    await other(`/me/keys/${id}`, { name: 'till' });
    await dialog.getByRole('button', { name: 'Save' }).click();
    await notice().waitFor();
    expect(await notice().getByRole('listitem').allInnerTexts()).toEqual(['Name is now: till']);
    await page.getByRole('dialog').getByRole('button', { name: 'Save' }).click();
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    const keys = await service.call<{ id: number; name: string; scope: string }[]>('GET', '/me/keys', undefined, token);
    expect(keys.find((key) => key.id === id)).toMatchObject({ name: 'till', scope: 'read' });
  });

  it('a secret that is shown once does not go with Escape before it was copied', async () => {
    const { page } = visitor;
    await visitor.context.grantPermissions(['clipboard-read', 'clipboard-write']);
    await visitor.goTo('/keys');
    await page.getByRole('button', { name: 'Create a key' }).click();
    const dialog = page.getByRole('dialog', { name: 'Create a key' });
    await dialog.getByRole('button', { name: 'Create the key' }).click();
    const copy = dialog.getByRole('button', { name: 'Copy', exact: true });
    await copy.waitFor();
    await page.keyboard.press('Escape');
    await copy.click();
    await dialog.getByRole('button', { name: 'Copied' }).waitFor();
    await copy.waitFor();
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'detached' });
  });
});
