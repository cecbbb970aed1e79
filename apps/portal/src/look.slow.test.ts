import { TestBrowser, type Visitor } from './testing/browser.js';
import { DOMAIN_SCREENS, loaded, SCREENS } from './testing/screens.js';
import { MASTER, TestService } from './testing/test-service.js';

const STOPPED = '/domains/stopped.com';
const WELL = '/domains/well.com';
const MAILBOX = '/mailboxes/anna@stopped.com';
/** Of a domain that is stopped for several reasons, and of one that is not. */
const OF_DOMAINS = [STOPPED, WELL].flatMap((domain) => DOMAIN_SCREENS.map((screen) => domain + screen));
const ADDRESSES = [...Object.values(SCREENS), ...OF_DOMAINS, STOPPED + MAILBOX, '/domains/add'];

describe('the look', () => {
  let service: TestService;
  let browser: TestBrowser;
  let token: string;

  beforeAll(async () => {
    [service, browser] = await Promise.all([TestService.start('sqlite'), TestBrowser.start()]);
    token = await service.key('acme');
    const call = (method: string, path: string, body?: unknown) => service.call(method, path, body, token);
    for (const name of ['well.com', 'stopped.com']) await call('POST', '/domains/', { name });
    await call('POST', '/users/', { email: 'anna@stopped.com', password: 'a-password-of-anna' });
    await service.call('PUT', '/domains/stopped.com/outbound', { outbound_status: 'blocked' });
    for (const cause of ['operator', 'abuse'])
      await service.call('PUT', '/domains/stopped.com/suspend', { cause, message: 'Call us' });
    await call('PUT', '/domains/stopped.com/suspend', { cause: 'partner' }).catch(() => undefined);
    await service.key('debtor');
    for (const cause of ['operator', 'billing']) await service.call('PUT', '/partners/debtor/suspend', { cause });
    await service.call('POST', '/domains/', { name: 'new.com', partner_ref: 'new' });
  });
  afterAll(async () => {
    await browser?.close();
    await service?.stop();
  });
  afterEach(() => expect(browser.takeFaults()).toEqual([]));

  const open = async (visitor: Visitor, address: string) => {
    await visitor.goTo(address);
    await visitor.page.getByRole('heading', { level: 1 }).waitFor();
    await loaded(visitor);
  };
  /** The words of the filled buttons of the page, without those of dialogs. */
  const filled = ({ page }: Visitor) =>
    page.locator('#content :is(button, a)[data-variant=filled]:visible').allInnerTexts();

  describe.each([
    {
      as: 'the operator',
      token: () => MASTER,
      addresses: [...ADDRESSES, '/operator/add-partner', '/operator/partners/debtor'],
    },
    { as: 'a partner', token: () => token, addresses: ADDRESSES.filter((address) => !address.startsWith('/operator')) },
  ])('of $as', ({ token: tokenOf, addresses }) => {
    let visitor: Visitor;

    beforeAll(async () => {
      visitor = await browser.enter(service.url, tokenOf());
    });
    afterAll(() => visitor?.context.close());

    it('has at most one filled button a page, outside dialogs', async () => {
      const several: Record<string, string[]> = {};
      for (const address of addresses) {
        await open(visitor, address);
        const words = await filled(visitor);
        if (words.length > 1) several[address] = words;
      }
      expect(several).toEqual({});
    });

    it('fills the button Save of a main form when something was changed, and not before', async () => {
      await open(visitor, STOPPED + MAILBOX);
      const save = visitor.page.locator('section', { hasText: 'Settings' }).getByRole('button', { name: 'Save' });
      expect(await save.getAttribute('data-variant')).toBe('default');
      await visitor.page.getByLabel('Name', { exact: true }).fill('Anna');
      await visitor.page.locator('button[data-variant=filled]', { hasText: 'Save' }).waitFor();
      expect(await filled(visitor)).toEqual(['Save']);
    });

    it('has the menu in groups, each with its name', async () => {
      await open(visitor, '/keys');
      const menu = visitor.page.getByRole('navigation', { name: 'Screens' });
      expect(await menu.getByRole('group', { name: 'Access' }).getByRole('link').allInnerTexts()).toEqual(
        expect.arrayContaining(['Keys', 'Links', 'Sessions', 'Webhooks']),
      );
      const operation = await menu.getByRole('group', { name: 'Operation' }).getByRole('link').allInnerTexts();
      expect(operation).toEqual(tokenOf() === MASTER ? ['Partners', 'Plans and tiers', 'Jobs', 'Relay', 'Audit'] : []);
    });

    it.each(
      ['/', STOPPED, STOPPED + MAILBOX, '/operator/partners/debtor'].filter((address) => addresses.includes(address)),
    )('has no card within a card at %s', async (address) => {
      await open(visitor, address);
      const inner = visitor.page.locator('.portal-card :is(.portal-card, .portal-scroll, .mantine-Paper-root)');
      const borders = await inner.evaluateAll((nodes) => nodes.map((node) => getComputedStyle(node).borderTopWidth));
      expect(borders.filter((width) => width !== '0px')).toEqual([]);
    });

    it('has states as pills on the line of the text beside them', async () => {
      await open(visitor, WELL);
      const cell = visitor.page.getByRole('row', { name: /^Verification/ }).getByRole('cell');
      await cell.locator('.portal-pill').waitFor();
      const lines = await cell.evaluate((node) => {
        const baselineOf = (inside: Element | null | undefined) => {
          const mark = document.createElement('span');
          mark.style.display = 'inline-block';
          inside?.append(mark);
          const { bottom } = mark.getBoundingClientRect();
          mark.remove();
          return Math.round(bottom);
        };
        return [baselineOf(node.querySelector('.portal-pill > span')), baselineOf(node.querySelector('a'))];
      });
      expect(lines[0]).toBe(lines[1]);
    });
  });
});
