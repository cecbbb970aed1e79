import { TestBrowser, type Visitor } from './testing/browser.js';
import { DOMAIN_SCREENS, loaded, menuOf, openScreen, SCREENS } from './testing/screens.js';
import { MASTER, TestService } from './testing/test-service.js';

const READ = 'read-operator-of-the-portal-0123456789';
const BILLING = 'billing-operator-of-the-portal-0123456789';
const OWN = ['Home', 'Domains', 'Events', 'Keys', 'Links', 'Deleted', 'Sessions'];
const OPERATORS = ['Partners', 'Plans and tiers', 'Jobs', 'Audit'];

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
    { as: 'master', menu: [...OWN, ...OPERATORS], domain: true },
    { as: 'read operator', menu: [...OWN, ...OPERATORS], domain: true },
    { as: 'partner', menu: OWN, domain: true },
    { as: 'limited key', menu: ['Home', 'Domains', 'Events', 'Deleted', 'Sessions'], domain: true },
    { as: 'billing operator', menu: ['Home', 'Domains', 'Sessions', 'Plans and tiers'], domain: false },
  ])('as $as', ({ as, menu, domain }) => {
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

    if (domain) {
      it.each([...DOMAIN_SCREENS, '/mailboxes/anna@first.com'])(
        'the domain%s can be seen by everybody',
        async (screen) => {
          await openScreen(browser, visitor, { address: `/domains/first.com${screen}`, title: 'first.com', as });
        },
      );
    }
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
