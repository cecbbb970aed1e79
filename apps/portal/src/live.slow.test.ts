import type { Locator } from 'playwright-core';
import { TestBrowser, type Visitor } from './testing/browser.js';
import { MASTER, TestService } from './testing/test-service.js';

// The page reads none of this again by itself, however long a test waits.
describe('an open screen shows at once what another caller changed', () => {
  let service: TestService;
  let browser: TestBrowser;
  let token: string;
  let visitor: Visitor;

  beforeAll(async () => {
    [service, browser] = await Promise.all([TestService.start('sqlite'), TestBrowser.start()]);
    token = await service.key('acme');
    await service.call('POST', '/domains/', { name: 'juniper.com' }, token);
    await service.call('POST', '/users/', { email: 'info@juniper.com', password: 'a-password-of-info' }, token);
    visitor = await browser.enter(service.url, token);
  });
  afterAll(async () => {
    await browser?.close();
    await service?.stop();
  });
  afterEach(() => expect(browser.takeFaults()).toEqual([]));

  const asMaster = (method: string, path: string, body: object) => service.call(method, path, body, MASTER);

  /** React keeps the attribute `value` in step with what a field shows. */
  const expectValue = (field: Locator, value: string) =>
    visitor.page.locator(`input[value="${value}"]`).and(field).waitFor();

  it('the quota of a mailbox, but it keeps what is being typed', async () => {
    const { page, goTo } = visitor;
    await goTo('/domains/juniper.com/mailboxes/info@juniper.com');
    const quota = page.getByLabel('Storage quota', { exact: true });
    await quota.waitFor();
    await service.call('PUT', '/users/info@juniper.com/quota', { quota_mb: 321 }, token);
    await expectValue(quota, '321');
    const name = page.getByLabel('Name', { exact: true });
    await name.fill('Being typed');
    await service.call('PUT', '/users/info@juniper.com/quota', { quota_mb: 322 }, token);
    await page.getByText('322').first().waitFor();
    expect(await name.inputValue()).toBe('Being typed');
  });

  it.each(['/domains/juniper.com/mailboxes/INFO@Juniper.com', '/domains/Juniper.com/mailboxes/info@juniper.com'])(
    'the quota of a mailbox whose address was typed as %s',
    async (address) => {
      const { page, goTo } = visitor;
      await goTo(address);
      const quota = page.getByLabel('Storage quota', { exact: true });
      await quota.waitFor();
      const next = Number(await quota.inputValue()) + 1;
      await service.call('PUT', '/users/info@juniper.com/quota', { quota_mb: next }, token);
      await expectValue(quota, String(next));
    },
  );

  it('the limits of sending, also in the form', async () => {
    const { page, goTo } = visitor;
    await goTo('/domains/juniper.com/sending');
    const daily = page.getByLabel('Recipients a day', { exact: true });
    await daily.waitFor();
    await service.call('PUT', '/domains/juniper.com/outbound', { daily_limit: 77 }, token);
    await page.getByText('0 of 77').waitFor();
    await expectValue(daily, '77');
  });

  it('the reference of a domain in its form', async () => {
    const { page, goTo } = visitor;
    await goTo('/domains/juniper.com/settings');
    const reference = page.getByLabel('Your own reference', { exact: true });
    await reference.waitFor();
    await service.call('PUT', '/domains/juniper.com', { external_ref: 'contract 7' }, token);
    await expectValue(reference, 'contract 7');
  });

  it('that the partner was suspended, and is active again, on the screen of one of its domains', async () => {
    const { page, goTo } = visitor;
    const says = (sentence: string) => page.getByRole('status').getByText(sentence, { exact: true }).waitFor();
    await goTo('/domains/juniper.com/sending');
    await says('May send');
    await asMaster('PUT', '/partners/acme/suspend', { stage: 'changes' });
    await says('Suspended, so its mail waits');
    await asMaster('PUT', '/partners/acme/activate', {});
    await says('May send');
  });

  it('the limits of the key on Home', async () => {
    const { page, goTo } = visitor;
    const [key] = await service.call<{ id: number }[]>('GET', '/api-keys/?partner_ref=acme');
    await goTo('/');
    await page.getByText('of 100', { exact: true }).waitFor();
    await asMaster('PUT', `/api-keys/${key?.id}`, { domains_allowed: 55 });
    await page.getByText('of 55', { exact: true }).waitFor();
  });

  it('how much a partner has, for the operator', async () => {
    const operator = await browser.enter(service.url, MASTER);
    await operator.goTo('/operator/partners/acme');
    await operator.page.getByText('1 domain, 1 mailbox, 0 aliases').waitFor();
    const alias = { address: 'sales@juniper.com', destination: 'info@juniper.com' };
    await service.call('POST', '/aliases/', alias, token);
    await operator.page.getByText('1 domain, 1 mailbox, 1 alias').waitFor();
    await operator.context.close();
  });

  it('what a list of domains says of their mailboxes', async () => {
    const { page, goTo } = visitor;
    await goTo('/domains');
    const row = (mailboxes: string) =>
      page.getByRole('row', { name: new RegExp(`^Select juniper\\.com juniper\\.com .*\\b${mailboxes}\\b`) });
    await row('1').waitFor();
    await service.call('POST', '/users/', { email: 'second@juniper.com', password: 'a-password-of-info' }, token);
    await row('2').waitFor();
  });
});
