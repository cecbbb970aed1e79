import { SIZES, TestBrowser, type Visitor } from './testing/browser.js';
import { lookAt } from './testing/looks.js';
import { loaded } from './testing/screens.js';
import { MASTER, TestService } from './testing/test-service.js';

const READ = 'reading-token-of-the-portal-0123456789';
const SETTINGS = {
  OPERATOR_TOKENS: `auditor:read:${READ}`,
  MAIL_SUBMISSION: 'smtp.host.example:587',
};
const NEVER = '86400';

let browser: TestBrowser;
beforeAll(async () => {
  browser = await TestBrowser.start();
});
afterAll(() => browser?.close());
afterEach(() => expect(browser.takeFaults()).toEqual([]));

const section = ({ page }: Visitor) => page.getByRole('region', { name: 'First steps' });
const steps = (visitor: Visitor) => section(visitor).getByRole('list').getByRole('listitem');
const present = (visitor: Visitor) => section(visitor).locator('[aria-current=step]');
const sees = (visitor: Visitor, text: string) => section(visitor).getByText(text, { exact: true }).waitFor();

describe.each(SIZES)('the first steps of an empty installation ($at)', ({ at, size }) => {
  let service: TestService;
  let visitor: Visitor;

  beforeAll(async () => {
    service = await TestService.start('sqlite', { ...SETTINGS, SANDBOX_VERIFY_AFTER: NEVER });
    visitor = await browser.enter(service.url, MASTER, size);
  });
  afterAll(() => service?.stop());

  const follow = (name: string) => present(visitor).getByRole('link', { name, exact: true }).click();
  const press = (name: string) => visitor.page.getByRole('button', { name, exact: true }).click();
  const arrived = (name: string) => visitor.page.getByRole('heading', { level: 1, name }).waitFor();

  it('lead by their buttons alone to a partner, a domain and its DNS records', async () => {
    const { page } = visitor;
    await sees(visitor, 'Add a partner');
    expect(await steps(visitor).count()).toBe(5);
    await lookAt(browser, visitor, `First steps, empty, ${at}`);
    await follow('Add partner');
    await page.getByLabel('Reference').fill('acme');
    await page.getByLabel('Domains', { exact: true }).fill('3');
    await press('Add partner');
    await page.getByText('The first key of acme').waitFor();
    await visitor.goTo('/');
    await sees(visitor, 'Done: a partner is added');
    await follow('Add a domain');
    await page.getByLabel('Names').fill('newcomer.com');
    await page.getByLabel('Partner (optional)').fill('acme');
    await press('Add domain');
    await arrived('newcomer.com');
    await visitor.goTo('/');
    await sees(visitor, 'Done: newcomer.com is added');
    await lookAt(browser, visitor, `First steps, DNS, ${at}`);
    await follow('Show the DNS records');
    await page.getByText('Publish the records below').waitFor();
    expect(new URL(page.url()).pathname).toBe('/portal/domains/newcomer.com/dns');
  });

  it('lead to a mailbox when the domain is verified, and to the settings to send with', async () => {
    const { page } = visitor;
    await page.goto('about:blank');
    await service.whileDown(async () => undefined, { SANDBOX_VERIFY_AFTER: '1' });
    await visitor.goTo('/domains/newcomer.com/dns');
    await page.getByText('The domain may send').waitFor();
    await visitor.goTo('/');
    await sees(visitor, 'Done: newcomer.com is verified');
    await follow('Add a mailbox');
    await press('Add mailbox');
    const dialog = page.getByRole('dialog', { name: 'Add a mailbox' });
    await dialog.getByLabel('Address', { exact: true }).fill('ann');
    await dialog.getByRole('button', { name: 'Generate' }).click();
    await dialog.getByRole('button', { name: 'Add mailbox' }).click();
    await page.getByText('ann@newcomer.com is ready').waitFor();
    await visitor.goTo('/');
    await sees(visitor, 'Done: ann@newcomer.com is added');
    await present(visitor).getByText('smtp.host.example').waitFor();
    const told = await present(visitor).getByRole('definition').allInnerTexts();
    expect(told.map((text) => text.trim())).toEqual(['smtp.host.example', '587', 'STARTTLS', 'ann@newcomer.com']);
    for (const what of ['Server', 'Port', 'Security', 'User name'])
      await present(visitor)
        .getByRole('button', { name: `Copy ${what}` })
        .waitFor();
    await lookAt(browser, visitor, `First steps, message, ${at}`);
  });

  it('say once that the first message was counted, without another visit, and are gone at the next one', async () => {
    await service.call('POST', '/domains/newcomer.com/outbound/increment', { count: 1, sender: 'ann@newcomer.com' });
    await section(visitor).getByRole('status').getByText('Your first message was counted.').waitFor();
    await lookAt(browser, visitor, `First steps, done, ${at}`);
    await visitor.page.reload();
    await loaded(visitor);
    await visitor.page.getByText('Nothing needs you now.').waitFor();
    expect(await section(visitor).count()).toBe(0);
  });
});

describe('the first steps', () => {
  let service: TestService;

  beforeAll(async () => {
    service = await TestService.start('sqlite', { ...SETTINGS, SANDBOX_VERIFY_AFTER: NEVER });
  });
  afterAll(() => service?.stop());

  it('begin with a domain for an operator who wants no partner, and then ask for none', async () => {
    const visitor = await browser.enter(service.url, MASTER);
    await present(visitor).getByRole('link', { name: 'begin with a domain' }).click();
    await visitor.page.getByLabel('Names').fill('own.com');
    await visitor.page.getByRole('button', { name: 'Add domain' }).click();
    await visitor.page.getByRole('heading', { level: 1, name: 'own.com' }).waitFor();
    await visitor.goTo('/');
    await present(visitor).getByText('Publish its DNS records').waitFor();
    expect(await steps(visitor).count()).toBe(4);
    await visitor.context.close();
  });

  it('have no buttons for who may only read', async () => {
    const partner = await service.key('acme');
    const reading = 'reading-key-of-acme-0123456789-abcdef';
    await service.call('POST', '/api-keys/', {
      token: reading,
      partner_ref: 'acme',
      scope: 'read',
      mailboxes_per_domain: 1,
      aliases_per_mailbox: 1,
    });
    await service.call('POST', '/domains/', { name: 'shown.com' }, partner);
    for (const token of [READ, reading]) {
      const visitor = await browser.enter(service.url, token);
      await present(visitor).getByText('Publish its DNS records').waitFor();
      expect(await present(visitor).getByRole('link').count()).toBe(0);
      await lookAt(browser, visitor, 'First steps of a reader');
      await visitor.context.close();
    }
  });

  it('stay hidden in this browser, which keeps nothing but that', async () => {
    const visitor = await browser.enter(service.url, await service.key('hiding'));
    await present(visitor).getByText('Add a domain').first().waitFor();
    await visitor.page.getByRole('button', { name: 'Hide the first steps' }).click();
    await section(visitor).waitFor({ state: 'detached' });
    await visitor.page.reload();
    await visitor.page.getByRole('heading', { level: 1, name: 'Home' }).waitFor();
    await loaded(visitor);
    expect(await section(visitor).count()).toBe(0);
    const kept = await visitor.page.evaluate(() => Object.entries(localStorage));
    expect(kept).toEqual([['mailstead-first-steps-hidden client', '']]);
    await visitor.context.close();
  });

  it('are never shown to who has sent before, not while the page loads either', async () => {
    const token = await service.key('long-there');
    await service.call('POST', '/domains/', { name: 'long-there.com' }, token);
    await service.whileDown(async (database) => {
      await database.write(
        "INSERT INTO outbound_partner_day (partner_id, day, sent, bounces, complaints) SELECT id, '2026-01-01', 1, 0, 0 FROM partner WHERE ref = 'long-there'",
      );
    });
    const visitor = await browser.visit(service.url);
    await visitor.page.addInitScript(() => {
      const seen = () => (document.body?.innerText ?? '').includes('First steps');
      new MutationObserver(() => {
        if (seen()) document.documentElement.dataset.sawFirstSteps = 'yes';
      }).observe(document, { childList: true, subtree: true, characterData: true });
    });
    await visitor.goTo('/enter');
    await visitor.page.getByLabel('Key', { exact: true }).fill(token);
    await visitor.page.getByRole('button', { name: 'Enter', exact: true }).click();
    await visitor.page.getByRole('heading', { level: 1, name: 'Home' }).waitFor();
    await loaded(visitor);
    await visitor.page.waitForLoadState('networkidle');
    expect(await visitor.page.evaluate(() => document.documentElement.dataset.sawFirstSteps ?? 'no')).toBe('no');
    await visitor.context.close();
  });
});
