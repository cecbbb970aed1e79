import type { DatabaseKind } from '@mailstead/adapters/database/testing/database-fixture';
import { TestBrowser, type Visitor } from './browser.js';
import { lookAt as lookAtOne } from './looks.js';
import { TestService } from './test-service.js';

type StartService = (settings: Record<string, string>) => Promise<TestService>;

/**
 * What most people come for, from the door to the end of a domain, on a real service in a real browser.
 *
 * @param start starts the service
 */
export function mainFlow(
  kind: DatabaseKind,
  start: StartService = (settings) => TestService.start(kind, settings),
): void {
  let service: TestService;
  let browser: TestBrowser;
  let visitor: Visitor;
  /** The page with the DNS records of the new domain, which stays open. */
  let records: Visitor;

  beforeAll(async () => {
    const settings = {
      MX_HOSTS: 'mx1.host.example,mx2.host.example',
      SPF_INCLUDE: 'spf.host.example',
      MAIL_IMAP: 'imap.host.example:993',
      MAIL_SUBMISSION: 'smtp.host.example:587',
      // Late enough that the screen is there before.
      SANDBOX_VERIFY_AFTER: '6',
    };
    [service, browser] = await Promise.all([start(settings), TestBrowser.start()]);
  });
  afterAll(async () => {
    await browser?.close();
    await service?.stop();
  });
  afterEach(() => expect(browser.takeFaults()).toEqual([]));

  /** How a screen looks does not depend on the database. */
  const lookAt = async (...[of, at, screen]: Parameters<typeof lookAtOne>) => {
    if (kind === 'sqlite') await lookAtOne(of, at, screen);
  };
  const press = (name: string) => visitor.page.getByRole('button', { name, exact: true }).click();
  const openPart = (name: string) =>
    visitor.page.getByRole('navigation', { name: 'Parts of the domain' }).getByRole('link', { name }).click();
  const sees = (text: string | RegExp) => visitor.page.getByText(text).first().waitFor();
  /** Takes back what a notice says; there may be others beside it. */
  const undo = (notice: string) =>
    visitor.page.getByRole('alert').filter({ hasText: notice }).getByRole('button', { name: 'Undo' }).click();
  /** Waits for a sentence of the API beside its field. */
  const isToldAt = async (label: string, sentence: string) => {
    const { page } = visitor;
    const field = page.getByLabel(label, { exact: true });
    await page.getByText(sentence).waitFor();
    const told = await field.evaluate((input) => ({
      isInvalid: input.ariaInvalid === 'true',
      hasFocus: input === document.activeElement,
      description: (input.getAttribute('aria-describedby') ?? '')
        .split(/\s+/)
        .map((id) => document.getElementById(id)?.textContent ?? '')
        .join(' '),
    }));
    expect(told).toEqual({ isInvalid: true, hasFocus: true, description: expect.stringContaining(sentence) });
  };

  it('lets in who has a key, and begins with what to do', async () => {
    visitor = await browser.enter(service.url, await service.key('acme'));
    await visitor.page.getByRole('heading', { name: 'First steps' }).waitFor();
    await visitor.page.locator('.portal-chart').waitFor({ state: 'attached' });
    await visitor.page.getByText('was created').waitFor();
    await lookAt(browser, visitor, 'Home');
  });

  it('adds a domain and shows its DNS records', async () => {
    const { page } = visitor;
    await page.getByRole('link', { name: 'Add a domain' }).click();
    await page.getByLabel('Names').fill('first-domain.com');
    await lookAt(browser, visitor, 'Add domains');
    await press('Add domain');
    await sees('Publish the records below');
    await page.getByText('mx1.host.example', { exact: true }).waitFor();
    records = visitor;
    visitor = await browser.openPage(service.url, visitor.context);
    await visitor.goTo('/domains/first-domain.com');
  });

  it('says beside its field why a mailbox is refused, and adds it with a generated password', async () => {
    const { page } = visitor;
    await openPart('Mailboxes');
    await sees('No mailboxes yet');
    await press('Add mailbox');
    const dialog = page.getByRole('dialog', { name: 'Add a mailbox' });
    const add = () => dialog.getByRole('button', { name: 'Add mailbox' }).click();
    await page.getByLabel('Address', { exact: true }).fill('no address');
    await page.getByLabel('Password', { exact: true }).fill('password1');
    await add();
    await isToldAt('Address', 'Must be an address like name@example.com');
    await page.getByLabel('Address', { exact: true }).fill('info');
    await add();
    await isToldAt('Password', 'Must not be a common password');
    await lookAt(browser, visitor, 'Add a mailbox');
    await press('Generate');
    expect(await page.getByLabel('Password', { exact: true }).inputValue()).toMatch(/^\w{20}$/);
    expect(await page.getByLabel('Password', { exact: true }).getAttribute('type')).toBe('text');
    await add();
    await sees('info@first-domain.com is ready');
    await lookAt(browser, visitor, 'A new mailbox');
    await dialog.getByRole('link', { name: 'To the mailbox' }).click();
    await page.getByRole('heading', { level: 2, name: 'info@first-domain.com' }).waitFor();
    await sees('imap.host.example, port 993, SSL/TLS');
    await lookAt(browser, visitor, 'Mailbox');
  });

  it('adds an alias to it, not to a mailbox that is missing', async () => {
    const { page } = visitor;
    await openPart('Aliases');
    await sees('No aliases yet');
    await press('Add alias');
    const add = () => page.getByRole('dialog').getByRole('button', { name: 'Add alias' }).click();
    await page.getByLabel('Address', { exact: true }).fill('sales');
    await page.getByLabel('Delivers to', { exact: true }).fill('missing');
    await add();
    await isToldAt('Delivers to', 'Mailbox not found.');
    await lookAt(browser, visitor, 'Add an alias');
    await page.getByLabel('Delivers to', { exact: true }).fill('info');
    await add();
    await page.getByRole('row', { name: 'sales@first-domain.com info@first-domain.com' }).waitFor();
    await lookAt(browser, visitor, 'Aliases');
  });

  it('sets limits of sending, at most the operator’s', async () => {
    const { page } = visitor;
    await openPart('Sending');
    const daily = page.getByLabel('Recipients a day', { exact: true });
    const monthly = page.getByLabel('Recipients a month', { exact: true });
    expect(await daily.inputValue()).toBe('200');
    await monthly.fill('999999');
    await press('Save');
    await isToldAt('Recipients a month', 'Is above what the operator allows (3000).');
    await lookAt(browser, visitor, 'Sending');
    await monthly.fill('3000');
    await daily.fill('50');
    await press('Save');
    await sees('0 of 50');
    await daily.fill('');
    await press('Save');
    await sees('0 of 200');
    expect(await daily.inputValue()).toBe('200');
  });

  it('has turned the DNS records verified before the eyes meanwhile', async () => {
    // The relay is asked again after five seconds, ten, and so on.
    await records.page.getByText('The domain may send').waitFor();
    await lookAt(browser, records, 'DNS');
    await records.page.close();
  });

  it('lists it with its state, and finds it by the beginning of its name', async () => {
    const { page } = visitor;
    await page.getByRole('link', { name: 'Domains', exact: true }).click();
    await page.getByRole('row', { name: 'first-domain.com Sending: Sends Receiving: Receives' }).waitFor();
    await lookAt(browser, visitor, 'Domains');
    await page.getByLabel('Search domains').fill('second');
    await sees('No domain matches');
    await page.keyboard.press('Control+k');
    await page.getByPlaceholder('A domain').fill('first');
    await page.getByRole('button', { name: 'first-domain.com Sending: Sends Receiving: Receives' }).click();
    await page.getByRole('heading', { level: 1, name: 'first-domain.com' }).waitFor();
  });

  it('suspends the domain and activates it', async () => {
    await openPart('Settings');
    await lookAt(browser, visitor, 'Settings');
    await press('Suspend');
    await sees('Suspended by the partner itself.');
    await visitor.page.getByText('first-domain.com is suspended.').waitFor();
    // The page shows it before the service has answered.
    const answer = visitor.page.waitForResponse(/\/activate$/);
    await press('Activate, lifting the cause partner');
    await visitor.page.getByRole('button', { name: 'Suspend', exact: true }).waitFor();
    expect((await answer).status()).toBe(200);
    expect(await service.call('GET', '/domains/first-domain.com')).toMatchObject({ status: 'active' });
  });

  it('shows what happened, and how the domain stands', async () => {
    await openPart('History');
    await sees('sales@first-domain.com');
    await lookAt(browser, visitor, 'History');
    await openPart('Overview');
    await visitor.page.getByRole('link', { name: '1 mailbox', exact: true }).waitFor();
    await lookAt(browser, visitor, 'Overview');
  });

  it('deletes the domain when its name is typed, and takes all of it back', async () => {
    const { page } = visitor;
    await openPart('Settings');
    await confirm('Delete domain', 'first-domain.com');
    await sees('No domains yet');
    await sees('first-domain.com is deleted.');
    await lookAt(browser, visitor, 'An offer to undo');
    await undo('first-domain.com is deleted.');
    await page.getByRole('link', { name: 'first-domain.com', exact: true }).click();
    await page.getByRole('link', { name: '1 mailbox', exact: true }).waitFor();
    await page.getByRole('link', { name: '1 alias', exact: true }).waitFor();
  });

  it('deletes a mailbox when its name is typed, and takes it back with its alias', async () => {
    const { page } = visitor;
    await page.getByRole('link', { name: '1 mailbox', exact: true }).click();
    await page.getByRole('row', { name: 'info@first-domain.com' }).waitFor();
    await lookAt(browser, visitor, 'Mailboxes');
    await page.getByRole('link', { name: 'info@first-domain.com' }).click();
    await confirm('Delete', 'info@first-domain.com');
    await sees('No mailboxes yet');
    await undo('info@first-domain.com is deleted.');
    await page.getByRole('row', { name: 'info@first-domain.com' }).waitFor();
    await openPart('Aliases');
    await page.getByRole('row', { name: 'sales@first-domain.com info@first-domain.com' }).waitFor();
  });

  it('is verified anew after it was taken back', async () => {
    await openPart('DNS');
    await visitor.page.getByText('The domain may send').waitFor();
  });

  /** Types the name that a deletion asks for. */
  const confirm = async (button: string, name: string) => {
    await press(button);
    const dialog = visitor.page.getByRole('dialog', { name: `Delete ${name}?` });
    await dialog.waitFor();
    expect(await dialog.getByRole('button', { name: 'Delete' }).isDisabled()).toBe(true);
    await lookAt(browser, visitor, `Delete ${name}`);
    await dialog.getByLabel(`Type ${name} to confirm`).fill(name);
    await dialog.getByRole('button', { name: 'Delete' }).click();
  };
}
