import { until } from '@mailstead/core/testing/until';
import type { Route } from 'playwright-core';
import { NARROW, TestBrowser, type Visitor } from './testing/browser.js';
import { lookAt } from './testing/looks.js';
import { MASTER, TestService } from './testing/test-service.js';

describe('what needs you on Home', () => {
  let service: TestService;
  let browser: TestBrowser;
  let token: string;

  beforeAll(async () => {
    [service, browser] = await Promise.all([TestService.start('sqlite'), TestBrowser.start()]);
    token = await service.key('acme');
    for (const name of ['held.com', 'held-too.com', 'bouncing.com', 'stopped.com', 'well.com'])
      await service.call('POST', '/domains/', { name }, token);
    for (const name of ['held.com', 'held-too.com'])
      await service.call('PUT', `/domains/${name}/suspend`, { cause: 'abuse' });
    for (const name of ['bouncing.com', 'stopped.com'])
      await service.call('PUT', `/domains/${name}/outbound`, { outbound_status: 'blocked' });
    for (const ref of ['debtor', 'debtor-two']) {
      await service.key(ref);
      for (const name of [`a.${ref}.com`, `b.${ref}.com`])
        await service.call('POST', '/domains/', { name, partner_ref: ref });
      await service.call('PUT', `/partners/${ref}/suspend`, { cause: 'billing' });
    }
    await isVerified('well.com');
    await service.whileDown(async (database) => {
      await database.write("UPDATE domain SET blocked_reason = 'bounce_rate' WHERE name = ?", ['bouncing.com'], []);
    });
  });
  afterAll(async () => {
    await browser?.close();
    await service?.stop();
  });
  afterEach(() => expect(browser.takeFaults()).toEqual([]));

  const isVerified = (name: string) =>
    until(`${name} to be verified`, async () => {
      const found = await service.call<unknown[]>('GET', `/domains/?q=${name}&verification_status=verified`);
      return found.length === 1;
    });
  const counts = async ({ page }: Visitor) => {
    const list = page.getByRole('list', { name: 'Domains by reason' });
    await list.waitFor();
    return list.getByRole('link').allInnerTexts();
  };
  const row = ({ page }: Visitor, title: string) =>
    page.locator('#content').locator('.portal-row').filter({ hasText: title });

  it('is asked for before another answer of Home has come', async () => {
    const { page, goTo } = await browser.enter(service.url, token);
    const held: Route[] = [];
    await page.route(/\/domains\/\?limit=1$/, (route) => void held.push(route));
    const isAsked = page.waitForRequest(/\/me\/attention/);
    await goTo('/');
    await isAsked;
    await until('the domains to be asked for', () => held.length > 0);
    await Promise.all(held.map((route) => route.continue()));
    await page.getByRole('list', { name: 'Domains by reason' }).waitFor();
  });

  it('counts the domains of each reason, the most severe first, and each count leads to these domains', async () => {
    const visitor = await browser.enter(service.url, token);
    const { page } = visitor;
    expect(await counts(visitor)).toEqual(['2 stopped or waiting', '2 suspended', '2 blocked from sending']);
    await row(visitor, 'held.com').getByText('Suspended because of abuse: its mail waits.').waitFor();
    await row(visitor, 'bouncing.com').getByText('too many bounces').waitFor();
    await row(visitor, 'stopped.com').getByText('the operator stopped it').waitFor();
    expect(await row(visitor, 'stopped.com').getByText('bounces').count()).toBe(0);
    await lookAt(browser, visitor, 'Home with what needs someone');
    for (const [count, show] of [
      ['2 blocked from sending', 'blocked'],
      ['2 stopped or waiting', 'stopped'],
    ] as const) {
      await visitor.goTo('/');
      await page.getByRole('link', { name: count }).click();
      await page.getByText('2 domains shown').waitFor();
      expect(new URL(page.url()).search).toContain(`show=${show}`);
      for (const name of ['bouncing.com', 'stopped.com']) await page.getByRole('link', { name, exact: true }).waitFor();
      expect(await page.getByRole('link', { name: 'well.com' }).count()).toBe(0);
    }
  });

  it('a count falls before the eyes, and without any the section says so', async () => {
    const visitor = await browser.enter(service.url, await service.key('live'), NARROW);
    await service.call('POST', '/domains/', { name: 'live.com', partner_ref: 'live' });
    await service.call('PUT', '/domains/live.com/suspend');
    await visitor.page.getByRole('link', { name: '1 suspended' }).waitFor();
    await lookAt(browser, visitor, 'Home with what needs someone on a phone');
    await service.call('PUT', '/domains/live.com/activate');
    await visitor.page.getByText('Nothing needs you now.').waitFor();
  });

  it('the operator sees one row for each suspended partner, and a suspended partner sees one for all its domains', async () => {
    const operator = await browser.enter(service.url, MASTER);
    expect(await counts(operator)).toEqual([
      '2 stopped or waiting',
      '2 suspended',
      '4 with a suspended partner',
      '2 blocked from sending',
    ]);
    const { page } = operator;
    for (const ref of ['debtor', 'debtor-two'])
      expect(await page.locator('#content').getByRole('link', { name: ref, exact: true }).count()).toBe(1);
    expect(await page.getByText('The mail of all its domains waits.').count()).toBe(2);
    await page.getByRole('link', { name: 'debtor', exact: true }).click();
    await page.getByRole('heading', { level: 1, name: 'debtor' }).waitFor();
    await operator.goTo('/?as=acme');
    expect(await counts(operator)).toEqual(['2 stopped or waiting', '2 suspended', '2 blocked from sending']);
    const partner = await browser.enter(service.url, 'key-of-debtor-0123456789-abcdef');
    expect(await counts(partner)).toEqual(['2 with a suspended partner']);
    await row(partner, 'All domains').getByText('The mail of all its domains waits.').waitFor();
    await partner.page.getByRole('link', { name: '2 with a suspended partner' }).click();
    await partner.page.getByText('2 domains shown').waitFor();
  });

  it('a verified domain that is not open for mail needs someone, and so does one of which DNS is awaited', async () => {
    const visitor = await browser.enter(service.url, await service.key('closed'));
    await service.call('POST', '/domains/', { name: 'closed.com', partner_ref: 'closed' });
    await isVerified('closed.com');
    await visitor.page.getByText('Nothing needs you now.').waitFor();
    await service.call('PUT', '/domains/closed.com/inbound', { inbound: 'pending' });
    await visitor.page.getByRole('link', { name: '1 stopped or waiting' }).waitFor();
    await row(visitor, 'closed.com').getByText('Mail to it is refused: it is not open for mail.').waitFor();
    await service.whileDown(
      async (database) => {
        await database.write(
          "UPDATE verification SET status = 'pending' WHERE domain_id = (SELECT id FROM domain WHERE name = ?)",
          ['closed.com'],
          [],
        );
      },
      { SANDBOX_VERIFY_AFTER: '86400' },
    );
    await visitor.goTo('/');
    expect(await counts(visitor)).toEqual(['1 waiting for DNS']);
    await row(visitor, 'closed.com').getByRole('link', { name: 'See its DNS records' }).waitFor();
  });
});
