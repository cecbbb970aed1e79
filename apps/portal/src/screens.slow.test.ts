import { TestBrowser, type Visitor } from './testing/browser.js';
import {
  DOMAIN_SCREENS,
  DOMAIN_SCREENS_OF_BILLING,
  loaded,
  menuOf,
  openScreen,
  partsOf,
  SCREENS,
} from './testing/screens.js';
import { MASTER, TestService } from './testing/test-service.js';

const READ = 'read-operator-of-the-portal-0123456789';
const BILLING = 'billing-operator-of-the-portal-0123456789';
const OWN = [
  'Home',
  'Domains',
  'Messages',
  'Events',
  'Suppressions',
  'Usage',
  'Deleted',
  'Keys',
  'Links',
  'Sessions',
  'Webhooks',
];
const OPERATORS = ['Partners', 'Plans and tiers', 'Jobs', 'Relay', 'Audit'];

describe('the screens', () => {
  let service: TestService;
  let browser: TestBrowser;
  /** The token of each caller that enters with a key. */
  const tokens: Record<string, string> = { master: MASTER, 'read operator': READ, 'billing operator': BILLING };

  beforeAll(async () => {
    const settings = {
      OPERATOR_TOKENS: `auditor:read:${READ},biller:billing:${BILLING}`,
      MAIL_IMAP: 'imap.host.example:993',
      MAIL_SUBMISSION: 'smtp.host.example:587',
    };
    [service, browser] = await Promise.all([TestService.start('sqlite', settings), TestBrowser.start()]);
    const partner = await service.key('acme');
    const call = (method: string, path: string, body?: unknown) => service.call(method, path, body, partner);
    for (const name of ['first.com', 'second.com', 'gone.com']) await call('POST', '/domains/', { name });
    for (const name of ['anna', 'ben', 'carl'])
      await call('POST', '/users/', { email: `${name}@first.com`, password: 'a-password-of-anna' });
    await call('POST', '/aliases/', { address: 'info@first.com', destination: 'anna@first.com' });
    await call('DELETE', '/users/carl@first.com');
    await call('DELETE', '/domains/gone.com');
    await call('POST', '/me/keys', { name: 'shop' });
    await call('POST', '/portal-links', { domain: 'first.com', scope: 'dns' });
    const { token } = await service.call<{ token: string }>(
      'POST',
      '/me/keys',
      { name: 'limited', domains: ['first.com'] },
      partner,
    );
    Object.assign(tokens, { partner, 'limited key': token });
  });
  afterAll(async () => {
    await browser?.close();
    await service?.stop();
  });
  afterEach(() => expect(browser.takeFaults()).toEqual([]));

  describe.each([
    { as: 'master', menu: [...OWN, ...OPERATORS], parts: DOMAIN_SCREENS },
    { as: 'read operator', menu: [...OWN, ...OPERATORS], parts: DOMAIN_SCREENS },
    { as: 'partner', menu: OWN.toSpliced(-1, 0, 'Brand'), parts: DOMAIN_SCREENS },
    {
      as: 'limited key',
      menu: ['Home', 'Domains', 'Messages', 'Events', 'Deleted', 'Sessions'],
      parts: DOMAIN_SCREENS,
    },
    {
      as: 'billing operator',
      menu: ['Home', 'Domains', 'Usage', 'Sessions', 'Plans and tiers'],
      parts: DOMAIN_SCREENS_OF_BILLING,
    },
  ])('as $as', ({ as, menu, parts }) => {
    let visitor: Visitor;

    beforeAll(async () => {
      visitor = await browser.enter(service.url, tokens[as] ?? '');
    });
    afterAll(() => visitor?.context.close());

    it('are in the menu and in the search when they can be used', async () => {
      expect(await menuOf(visitor)).toEqual(menu);
      await visitor.page.keyboard.press('Control+k');
      const found = visitor.page.getByRole('dialog').getByRole('button');
      await found.first().waitFor();
      const names = (await found.allInnerTexts()).filter((name) => Object.hasOwn(SCREENS, name));
      expect(names).toEqual(menu);
      await visitor.page.keyboard.press('Escape');
    });

    it.each(menu)('%s can be seen by everybody', async (title) => {
      await openScreen(browser, visitor, { address: SCREENS[title] ?? '', title, as });
    });

    // Everybody may read the plans.
    const others = Object.keys(SCREENS).filter((title) => !menu.includes(title) && title !== 'Plans and tiers');
    if (others.length > 0) {
      it.each(others)('%s says why it shows nothing, when its address is typed', async (title) => {
        await visitor.goTo(SCREENS[title] ?? '');
        await visitor.page.getByRole('alert').filter({ hasText: 'This could not be read' }).waitFor();
      });
    }

    const MAILBOX = '/mailboxes/anna@first.com';
    const readable = parts.includes('/mailboxes') ? [...parts, MAILBOX] : parts;
    it.each(readable)('the domain%s can be seen by everybody', async (screen) => {
      await openScreen(browser, visitor, { address: `/domains/first.com${screen}`, title: 'first.com', as });
      expect(await partsOf(visitor, 'first.com')).toEqual(parts);
    });

    const refused = [...DOMAIN_SCREENS, MAILBOX].filter((screen) => !readable.includes(screen));
    if (refused.length > 0) {
      it.each(refused)('the domain%s says why it shows nothing, when its address is typed', async (screen) => {
        await visitor.goTo(`/domains/first.com${screen}`);
        await visitor.page.getByRole('alert').filter({ hasText: 'This could not be read' }).first().waitFor();
      });
    }
  });

  it('as billing operator: the overview names no mailbox that it may not read, and the DNS page can be shared', async () => {
    const visitor = await browser.enter(service.url, BILLING);
    const { page, context, goTo } = visitor;
    await goTo('/domains/first.com');
    await page.getByRole('row', { name: 'Mailboxes 2 mailboxes' }).waitFor();
    expect(await page.getByRole('table', { name: 'The domain' }).getByRole('link').allInnerTexts()).toEqual([
      'DNS records',
    ]);
    await goTo('/domains/first.com/dns');
    await page.getByRole('button', { name: 'Share this page' }).click();
    await page.getByRole('button', { name: 'Create the link' }).click();
    await page.getByText('Copy it now').waitFor();
    await page.getByRole('dialog').getByRole('button', { name: 'Close' }).click();
    await page.keyboard.press('Control+k');
    await page.getByRole('dialog').getByRole('textbox').fill('first');
    await page.getByRole('dialog').getByRole('button', { name: 'first.com' }).waitFor();
    await context.close();
  });

  describe.each([
    { scope: 'dns', screens: ['/dns'] },
    { scope: 'manage', screens: [...DOMAIN_SCREENS, '/mailboxes/anna@first.com'] },
  ])('as a $scope link', ({ scope, screens }) => {
    let visitor: Visitor;

    beforeAll(async () => {
      const { url } = await service.call<{ url: string }>('POST', '/portal-links', { domain: 'first.com', scope });
      visitor = await browser.visit(service.url);
      await visitor.page.goto(service.url + url);
      await visitor.page.getByRole('button', { name: 'Enter' }).click();
      await visitor.page.getByRole('heading', { level: 1, name: 'first.com' }).waitFor();
    });
    afterAll(() => visitor?.context.close());

    it.each(screens)('the domain%s can be seen by everybody', async (screen) => {
      const address = `/domains/first.com${screen}`;
      await openScreen(browser, visitor, { address, title: 'first.com', as: `${scope} link` });
    });

    it.each(Object.values(SCREENS))('%s leads to the domain', async (address) => {
      await visitor.goTo(address);
      await visitor.page.getByRole('heading', { level: 1, name: 'first.com' }).waitFor();
      await loaded(visitor);
      expect(await visitor.page.getByRole('navigation', { name: 'Screens' }).count()).toBe(0);
    });
  });
});
