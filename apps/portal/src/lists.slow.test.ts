import { readFile } from 'node:fs/promises';
import { until } from '@mailstead/core/testing/until';
import type { Route } from 'playwright-core';
import { NARROW, SIZES, TestBrowser, type Visitor, WIDE } from './testing/browser.js';
import { lookAt } from './testing/looks.js';
import { loaded } from './testing/screens.js';
import { MASTER, TestService } from './testing/test-service.js';

describe('lists with many rows', () => {
  let service: TestService;
  let browser: TestBrowser;

  beforeAll(async () => {
    [service, browser] = await Promise.all([TestService.start('sqlite'), TestBrowser.start()]);
  });
  afterAll(async () => {
    await browser?.close();
    await service?.stop();
  });
  afterEach(() => expect(browser.takeFaults()).toEqual([]));

  async function withDomains(partner: string, count: number): Promise<{ token: string; names: string[] }> {
    const token = await service.key(partner, { domains_allowed: 700 });
    const names = Array.from({ length: count }, (_, index) => `${partner}-${index}.com`);
    for (let from = 0; from < count; from += 100) {
      const items = names.slice(from, from + 100).map((name) => ({ name }));
      await service.call('POST', '/domains/bulk', { items }, token);
    }
    return { token, names };
  }

  const statusesOf = async (names: string[]) => {
    const rows = await Promise.all(names.map((name) => service.call<{ status: string }>('GET', `/domains/${name}`)));
    return [...new Set(rows.map(({ status }) => status))];
  };

  const choose = ({ page }: Visitor, name: RegExp) => page.getByRole('checkbox', { name }).check();

  async function confirm({ page }: Visitor, label: string): Promise<void> {
    await page.getByRole('button', { name: label, exact: true }).click();
    await page.getByRole('dialog').getByRole('button', { name: label, exact: true }).click();
  }

  it.each(SIZES)(
    'are suspended at once, four calls at a time that wait when asked to, and undone, at $at',
    async ({ at, size }) => {
      const { token, names } = await withDomains(`many-${at}`, 12);
      const visitor = await browser.enter(service.url, token, size);
      const { page, goTo } = visitor;
      await goTo('/domains');
      await choose(visitor, /^Select these 12 domains/);
      await page.getByText('12 domains selected').waitFor();
      await lookAt(browser, visitor, 'Domains with chosen rows');

      const begun: { name: string; at: number }[] = [];
      let [running, most, refusedAt] = [0, 0, 0];
      await page.route('**/suspend', async (route: Route) => {
        const name = new URL(route.request().url()).pathname.split('/')[2] ?? '';
        begun.push({ name, at: Date.now() });
        running += 1;
        most = Math.max(most, running);
        const isFirst = begun.length === 1;
        await until('four calls run', () => begun.length >= 4);
        running -= 1;
        if (!isFirst) {
          await until('the service has asked to wait', () => refusedAt > 0);
          return route.continue();
        }
        const body = JSON.stringify({ code: 'rate_limited', detail: 'Too many requests' });
        await route.fulfill({ status: 429, headers: { 'Retry-After': '1' }, body });
        refusedAt = Date.now();
      });
      await confirm(visitor, 'Suspend');
      await page.getByText('12 done, 0 refused.').waitFor();
      expect(most).toBe(4);
      expect(begun.map(({ name }) => name).sort()).toEqual([...names, begun[0]?.name ?? ''].sort());
      expect(Math.min(...begun.slice(4).map((call) => call.at)) - refusedAt).toBeGreaterThan(900);
      expect(await statusesOf(names)).toEqual(['suspended']);
      await lookAt(browser, visitor, 'Suspended domains');

      await page.getByRole('button', { name: 'Undo 12 changes' }).click();
      await page.getByRole('heading', { name: 'Undoing the change of 12 domains' }).waitFor();
      await page.getByText('12 done, 0 refused.').waitFor();
      expect(await statusesOf(names)).toEqual(['active']);
      await page.getByRole('button', { name: 'Back to the domains' }).click();
      await page.getByText('12 domains shown').waitFor();
      expect(await page.getByText(/domains? selected/).count()).toBe(0);
      // A partner sets no plans.
      await choose(visitor, /^Select these 12 domains/);
      expect(await page.getByRole('button', { name: 'Set plan' }).count()).toBe(0);
      await page.getByRole('button', { name: 'Check DNS' }).click();
      await page.getByText('12 done, 0 refused.').waitFor();
      expect(await page.getByText(/^Wrong or missing: /).count()).toBe(12);
      await visitor.context.close();
    },
  );

  it.each(SIZES)('get a plan at once from the operator, and all of the former back, at $at', async ({ at, size }) => {
    const { names } = await withDomains(`plans-${at}`, 3);
    const [first = '', second = '', third = ''] = names;
    await service.call('PUT', `/domains/${first}/plan`, { plan: 'starter' });
    await service.call('PUT', `/domains/${first}/retention`, { retention_days: 77 });
    await service.call('PUT', `/domains/${second}/plan`, { plan: 'business' });
    const visitor = await browser.enter(service.url, MASTER, size);
    const { page, goTo } = visitor;
    await goTo(`/domains?q=plans-${at}`);
    for (const name of names) await choose(visitor, new RegExp(`^Select ${name}`));
    await page.getByRole('button', { name: 'Set plan', exact: true }).click();
    await page.getByRole('combobox', { name: 'Plan' }).click();
    await page.getByRole('option', { name: 'business' }).click();
    await lookAt(browser, visitor, 'Plan of chosen domains');
    await page.getByRole('dialog').getByRole('button', { name: 'Set plan' }).click();
    await page.getByText('3 done, 0 refused.').waitFor();
    await page.getByText('It was so already').waitFor();
    expect(await service.call('GET', `/domains/${third}`)).toMatchObject({ plan: 'business' });
    // One had the plan already, one had none before.
    await page.getByRole('button', { name: 'Undo 1 change' }).click();
    await page.getByText('1 done, 0 refused.').waitFor();
    expect(await service.call('GET', `/domains/${first}`)).toMatchObject({ plan: 'starter', retention_days: 77 });
    expect(await service.call('GET', `/domains/${second}`)).toMatchObject({ plan: 'business' });
    await visitor.context.close();
  });

  it('have at most 500 chosen rows, also of rows that are not shown', async () => {
    const { token } = await withDomains('large', 620);
    const visitor = await browser.enter(service.url, token);
    const { page, goTo } = visitor;
    await goTo('/domains');
    await page.getByRole('button', { name: 'Select the first 500 of the list' }).click();
    await page.getByText('500 domains selected, the most at once').waitFor();
    await page.getByRole('searchbox', { name: 'Search domains' }).fill('large-1');
    await page.getByText(/domains selected/).waitFor({ state: 'detached' });
    await visitor.context.close();
  });

  it('cannot be chosen by who may do nothing with them', async () => {
    const { token, names } = await withDomains('seen', 2);
    const visitor = await browser.enter(service.url, MASTER);
    const { page, goTo } = visitor;
    await goTo('/domains?as=seen');
    await page.getByRole('link', { name: names[0] ?? '' }).waitFor();
    expect(await page.getByRole('checkbox').count()).toBe(0);
    await visitor.context.close();
    await service.call('DELETE', `/domains/${names[1]}`, undefined, token);
  });

  it.each(SIZES)('are saved as CSV to their end, guarded against formulas, at $at', async ({ at, size }) => {
    const { token, names } = await withDomains(`saved-${at}`, 520);
    const [domain = ''] = names;
    const address = `anna@${domain}`;
    const box = { email: address, password: 'a-password-of-anna', name: '=1+1', external_ref: '@SUM(A1)' };
    await service.call('POST', '/users/', box, token);
    const visitor = await browser.enter(service.url, token, size);
    const { page, goTo } = visitor;
    const save = async (nouns: string) => {
      const [download] = await Promise.all([
        page.waitForEvent('download'),
        page.getByRole('button', { name: `CSV file: all ${nouns}` }).click(),
      ]);
      return { file: download.suggestedFilename(), text: await readFile(await download.path(), 'utf8') };
    };
    await goTo(`/domains/${domain}/mailboxes`);
    const boxes = await save('mailboxes');
    expect(boxes.file).toBe(`mailboxes-${domain}.csv`);
    const [head, row] = boxes.text.split('\r\n');
    expect(head).toBe('email,name,quota_mb,outbound_daily_limit,active,external_ref,created_at');
    expect(row).toContain(`${address},'=1+1,`);
    expect(row).toContain(",true,'@SUM(A1),");

    await goTo(`/domains?q=saved-${at}`);
    const domains = await save('domains');
    const saved = domains.text.trim().split('\r\n').slice(1);
    expect(saved.map((line) => line.split(',')[0]).sort()).toEqual([...names].sort());

    // The second page is held, so that the progress can be seen, and is then left.
    let isHeld = false;
    let letGo = () => undefined as void;
    const isLetGo = new Promise<void>((resolve) => {
      letGo = resolve;
    });
    await page.route(/\/domains\/\?.*limit=500.*after=/, async (route) => {
      isHeld = true;
      await isLetGo;
      await route.continue();
    });
    const downloads: unknown[] = [];
    page.on('download', (download) => downloads.push(download));
    await page.getByRole('button', { name: 'CSV file: all domains' }).click();
    await page.getByText('500 domains read …').waitFor();
    await until('the second page is asked for', () => isHeld);
    await lookAt(browser, visitor, 'Domains that are being saved');
    await page.getByRole('button', { name: 'Cancel' }).click();
    const isAnswered = page.waitForResponse(/limit=500.*after=/);
    letGo();
    await isAnswered;
    await page.getByRole('button', { name: 'CSV file: all domains' }).waitFor();
    expect(downloads).toEqual([]);
    await visitor.context.close();
  });

  it('have two lines a row on a phone, with rows and cells for screen readers, and are tables elsewhere', async () => {
    const { token, names } = await withDomains('lines', 2);
    const visitor = await browser.enter(service.url, token, NARROW);
    const { page, goTo } = visitor;
    const table = page.getByRole('table', { name: 'domains' });
    const shape = () =>
      table.evaluate((all) => {
        const name = all.querySelector('tbody th')?.getBoundingClientRect().bottom ?? 0;
        const cells = [...(all.querySelector('tbody tr')?.children ?? [])].filter((cell) => cell.checkVisibility());
        return {
          labels: cells.map((cell) => getComputedStyle(cell, '::before').content),
          lines: new Set(cells.map((cell) => cell.getBoundingClientRect().top >= name - 1)).size,
          hasHead: all.querySelector('thead')?.checkVisibility(),
        };
      });
    await goTo('/domains');
    await page.getByRole('link', { name: names[0] ?? '' }).waitFor();
    expect(await shape()).toEqual({
      labels: ['none', 'none', '"Sending: "', '"Receiving: "'],
      lines: 2,
      hasHead: false,
    });
    expect(await table.getByRole('row').count()).toBe(2);
    expect(await table.getByRole('rowheader').count()).toBe(2);
    expect(await table.getByRole('cell').count()).toBe(6);
    await lookAt(browser, visitor, 'Domains on a phone');
    await page.setViewportSize(WIDE);
    expect(await shape()).toEqual({ labels: Array.from({ length: 7 }, () => 'none'), lines: 1, hasHead: true });
    await visitor.context.close();
  });

  it.each(SIZES)(
    'show international names as they are read, with the stored ones beside, at $at',
    async ({ at, size }) => {
      const stored = at === 'desktop' ? 'xn--bcher-kva.com' : 'xn--bcherei-n2a.com';
      const read = at === 'desktop' ? 'bücher.com' : 'bücherei.com';
      const token = await service.key(`names-${at}`);
      await service.call('POST', '/domains/', { name: read }, token);
      const email = `anna@${stored}`;
      await service.call('POST', '/users/', { email, password: 'a-password-of-anna' }, token);
      await service.call('POST', '/aliases/', { address: `info@${stored}`, destination: email }, token);
      const visitor = await browser.enter(service.url, token, size);
      const { page, goTo } = visitor;
      const isShown = async (name: string, beside: string) => {
        await page.locator('bdi', { hasText: name }).first().waitFor();
        await page.locator('.portal-stored-name', { hasText: beside }).first().waitFor();
      };
      await goTo('/domains');
      await isShown(read, stored);
      await lookAt(browser, visitor, 'Domains with an international name');
      await page.getByRole('link', { name: `${read} ${stored}` }).click();
      await page.getByRole('heading', { level: 1, name: `${read} ${stored}` }).waitFor();
      expect(await page.title()).toBe(`\u2068${read}\u2069 (${stored}) · Mailstead`);
      await goTo(`/domains/${stored}/mailboxes`);
      await isShown(`anna@${read}`, email);
      await goTo(`/domains/${stored}/aliases`);
      await isShown(`info@${read}`, `info@${stored}`);
      await lookAt(browser, visitor, 'Aliases with international names');
      await loaded(visitor);
      await page.keyboard.press('Control+k');
      await page.getByRole('textbox', { name: 'Find anything' }).fill(stored);
      const found = page.getByRole('dialog').getByRole('button', { name: `${read}${stored}` });
      await found
        .or(page.locator('[data-action]', { hasText: read }))
        .first()
        .waitFor();
      await page.locator('[data-action]', { hasText: stored }).first().waitFor();
      await visitor.context.close();
    },
  );
});
