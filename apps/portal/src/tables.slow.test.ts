import { NARROW, TestBrowser, type Visitor } from './testing/browser.js';
import { lookAt } from './testing/looks.js';
import { MASTER, TestService } from './testing/test-service.js';

const ROW_PX = 41;
const PHONE_ROW_PX = 72;
const PAGE_HEAD_PX = 52;
const BORDER_PX = 1;
/** On each page of the list one name is longer than its column. */
const NAMES = Array.from({ length: 100 }, (_, index) => {
  const name = `n${String(index).padStart(3, '0')}`;
  return index % 50 === 40 ? `${name}-of-a-customer-whose-name-is-long.example` : `${name}.example`;
});

describe('tables', () => {
  let service: TestService;
  let browser: TestBrowser;
  let staff: Visitor;
  let token: string;

  beforeAll(async () => {
    [service, browser] = await Promise.all([TestService.start('sqlite'), TestBrowser.start()]);
    token = await service.key('many', { domains_allowed: 200 });
    const make = (path: string, body: unknown) => service.call('POST', path, body, token);
    await make('/domains/bulk', { items: NAMES.map((name) => ({ name })) });
    for (const name of ['anna', 'ben'])
      await make('/users/', { email: `${name}@n000.example`, password: 'a long password' });
    await make('/aliases/', { address: 'info@n000.example', destination: 'anna@n000.example' });
    for (let index = 0; index < 50; index += 1) await make('/me/keys', { name: `shop-${index}` });
    await service.call('PUT', '/domains/n001.example/suspend', { cause: 'abuse' });
    staff = await browser.enter(service.url, token);
  });
  afterAll(async () => {
    await browser?.close();
    await service?.stop();
  });
  afterEach(() => expect(browser.takeFaults()).toEqual([]));

  const table = ({ page }: Visitor, name: string) => page.getByRole('table', { name, exact: true });

  /** Goes to a list and returns the heights of its rows, once it has as many. */
  async function heightsOf(visitor: Visitor, address: string, name: string, count: number): Promise<number[]> {
    await visitor.goTo(address);
    const rows = table(visitor, name).locator('tbody tr');
    await rows.nth(count - 1).waitFor();
    return rows.evaluateAll((all) => all.map((row) => row.getBoundingClientRect().height));
  }

  describe('in a wide window', () => {
    it('have rows of 40 px: 50 keys are one long page, not five', async () => {
      const heights = await heightsOf(staff, '/keys', 'keys', 50);
      expect(heights.filter((height) => height > ROW_PX)).toEqual([]);
      expect(await table(staff, 'keys').evaluate((all) => all.clientHeight)).toBeLessThan(50 * ROW_PX + 40);
      await lookAt(browser, staff, 'Fifty keys');
    });

    it.each([
      { of: 'partner', address: '/domains', name: 'domains', count: 50 },
      { of: 'partner', address: '/domains/n000.example/mailboxes', name: 'mailboxes', count: 2 },
      { of: 'partner', address: '/domains/n000.example/aliases', name: 'aliases', count: 1 },
      { of: 'master', address: '/domains', name: 'domains', count: 50 },
      { of: 'master', address: '/keys', name: 'keys', count: 50 },
      { of: 'master', address: '/operator/partners', name: 'partners', count: 1 },
    ])('have rows of 40 px: $name of a $of', async ({ of, address, name, count }) => {
      const visitor = of === 'master' ? await browser.enter(service.url, MASTER) : staff;
      const heights = await heightsOf(visitor, address, name, count);
      expect(heights.filter((height) => height > ROW_PX)).toEqual([]);
      if (visitor !== staff) await visitor.context.close();
    });

    it('have numbers whose digits stand below each other, and their heads too', async () => {
      await heightsOf(staff, '/domains', 'domains', 50);
      const cells = table(staff, 'domains').locator(':is(th, td):nth-child(5)');
      const looks = await cells.evaluateAll((all) =>
        all.map((cell) => `${getComputedStyle(cell).textAlign} ${getComputedStyle(cell).fontVariantNumeric}`),
      );
      expect(new Set(looks)).toEqual(new Set(['end tabular-nums']));
      expect(await cells.first().innerText()).toBe('Mailboxes');
    });

    it('keep their heads in sight below the head of the page', async () => {
      const { page } = staff;
      await heightsOf(staff, '/domains', 'domains', 50);
      await page.getByRole('button', { name: 'Show more' }).click();
      await table(staff, 'domains').locator('tbody tr').nth(99).waitFor();
      await page.evaluate(() => window.scrollTo(0, 2_000));
      const head = table(staff, 'domains').getByRole('columnheader', { name: 'Receiving' });
      const seen = await head.evaluate((cell) => {
        const { x, y, top } = cell.getBoundingClientRect();
        return { top, scrolled: window.scrollY, isOnTop: document.elementFromPoint(x + 4, y + 12) === cell };
      });
      expect(seen).toEqual({ top: PAGE_HEAD_PX, scrolled: 2_000, isOnTop: true });
    });

    it('scroll sideways by themselves when they are too wide, and then with the heads above their columns', async () => {
      const { page } = staff;
      await page.setViewportSize({ width: 620, height: 700 });
      await heightsOf(staff, '/domains', 'domains', 50);
      const shape = await page.evaluate(() => {
        const box = document.querySelector('.portal-scroll') as HTMLElement;
        box.scrollLeft = 10_000;
        const head = box.querySelector('thead')?.getBoundingClientRect();
        const first = box.querySelector('tbody tr')?.getBoundingClientRect();
        return {
          scrolls: box.scrollLeft > 0,
          takesKeys: box.tabIndex,
          page: document.documentElement.scrollWidth - window.innerWidth,
          gap: Math.round((first?.top ?? 0) - (head?.bottom ?? 0)),
          headIsFirst: Math.round((head?.top ?? 0) - box.getBoundingClientRect().top),
        };
      });
      expect(shape).toEqual({ scrolls: true, takesKeys: 0, page: 0, gap: 0, headIsFirst: BORDER_PX });
      await page.setViewportSize({ width: 1280, height: 900 });
    });
  });

  describe('are sorted by a press on a head', () => {
    const heads = (name: string) => table(staff, name).locator('thead').getByRole('button');
    const firstKey = () => table(staff, 'keys').locator('tbody tr').first().getByRole('rowheader').innerText();

    it('up, down and back to the order of the API, when all rows are on the page', async () => {
      await heightsOf(staff, '/keys', 'keys', 50);
      const [head, newest] = [heads('keys').filter({ hasText: 'Key' }), await firstKey()];
      const sort = () => table(staff, 'keys').getByRole('columnheader', { name: 'Key' }).getAttribute('aria-sort');
      expect(await sort()).toBeNull();
      await head.press('Enter');
      expect([await sort(), await firstKey()]).toEqual(['ascending', expect.stringMatching(/^shop-0 /)]);
      await lookAt(browser, staff, 'Sorted keys');
      await head.click();
      expect([await sort(), await firstKey()]).toEqual(['descending', expect.stringMatching(/^shop-49 /)]);
      await head.click();
      expect([await sort(), await firstKey()]).toEqual([null, newest]);
    });

    it('not while the service has more of them, which would come between', async () => {
      const { page } = staff;
      await heightsOf(staff, '/domains', 'domains', 50);
      expect(await heads('domains').count()).toBe(0);
      await page.getByRole('button', { name: 'Show more' }).click();
      await heads('domains').first().waitFor();
      expect(await heads('domains').allInnerTexts()).toEqual(['Domain', 'Mailboxes', 'Aliases', 'Added']);
    });
  });

  it('have the tasks of a row behind one button, by keyboard too, which gets the focus back', async () => {
    const { page } = staff;
    await heightsOf(staff, '/keys', 'keys', 50);
    const row = table(staff, 'keys').getByRole('row', { name: /^shop-7 / });
    const button = row.getByRole('button');
    expect(await button.count()).toBe(1);
    await page.getByRole('button', { name: 'Actions: shop-7', exact: true }).press('Enter');
    const items = page.getByRole('menu').getByRole('menuitem');
    await items.first().waitFor();
    expect(await items.allInnerTexts()).toEqual(['Change', 'Rotate', 'Revoke']);
    await lookAt(browser, staff, 'The menu of a key');
    await page.keyboard.press('Escape');
    await items.first().waitFor({ state: 'detached' });
    expect(await button.evaluate((node) => node === document.activeElement)).toBe(true);
    await button.click();
    await items.filter({ hasText: 'Rotate' }).click();
    await page.getByRole('dialog', { name: 'Rotate shop-7' }).waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await button.and(page.locator(':focus')).waitFor();
  });

  it('of domains have the reasons for attention above, with their counts, and each narrows the list', async () => {
    const { page } = staff;
    await staff.goTo('/domains');
    const chips = page.getByRole('list', { name: 'Domains by reason' });
    const chip = (name: string) => chips.getByRole('link', { name, exact: true });
    await chip('Suspended, each domain 1').click();
    await page.getByText('1 domain shown').waitFor();
    expect(new URL(page.url()).search).toBe('?show=suspended');
    expect(await chip('Suspended, each domain 1').getAttribute('aria-current')).toBe('true');
    expect(await chip('All').getAttribute('aria-current')).toBeNull();
    await lookAt(browser, staff, 'Suspended domains');
    await staff.goTo('/domains?show=mail_waiting');
    await chip('Mail waits for days').and(page.locator('[aria-current=true]')).waitFor();
    await chip('All').click();
    await page.getByText('50 domains of 100 shown').waitFor();
    expect(new URL(page.url()).search).toBe('');
    await page.route('**/me/attention*', (route) =>
      route.fulfill({ json: [{ reason: 'blocked', count: 20_000, more: true, first: [] }] }),
    );
    await page.reload();
    await chip('Sending blocked 20,000+').waitFor();
    await page.unroute('**/me/attention*');
  });

  describe('on a phone', () => {
    let phone: Visitor;

    beforeAll(async () => {
      phone = await browser.enter(service.url, token, NARROW);
    });
    afterAll(() => phone?.context.close());

    it.each([
      { address: '/domains?q=n00', name: 'domains', count: 10 },
      { address: '/domains/n000.example/mailboxes', name: 'mailboxes', count: 2 },
      { address: '/domains/n000.example/aliases', name: 'aliases', count: 1 },
      { address: '/keys', name: 'keys', count: 50 },
      { address: '/sessions', name: 'Sessions', count: 2 },
    ])('have two lines a row, and the page does not scroll sideways: $name', async ({ address, name, count }) => {
      const heights = await heightsOf(phone, address, name, count);
      if (name !== 'Sessions') expect(heights.filter((height) => height > PHONE_ROW_PX)).toEqual([]);
      await lookAt(browser, phone, `${name} on a phone`);
    });

    it('have the name and the menu in the first line, and the rest below, small, with the heads of what they are', async () => {
      await heightsOf(phone, '/keys', 'keys', 50);
      const row = table(phone, 'keys').getByRole('row', { name: /^shop-7 .*May: Manage everything.*Last used never/ });
      const [name, may, menu] = await Promise.all(
        [row.getByRole('rowheader'), row.getByRole('cell', { name: 'May' }), row.getByRole('button')].map((each) =>
          each.boundingBox(),
        ),
      );
      expect(menu?.y).toBeLessThan(may?.y ?? 0);
      expect((name?.y ?? 0) + (name?.height ?? 0)).toBeLessThanOrEqual(may?.y ?? 0);
      expect(menu?.width).toBeGreaterThanOrEqual(24);
      expect(
        await row
          .locator('td')
          .first()
          .evaluate((cell) => getComputedStyle(cell).fontSize),
      ).toBe('12px');
    });
  });
});
