import { readFile } from 'node:fs/promises';
import type { Database } from '@mailstead/adapters/database/driver/database';
import type { components } from '@mailstead/client/generated/api-types';
import { TestBrowser, type Visitor } from './testing/browser.js';
import { lookAt } from './testing/looks.js';
import { MASTER, TestService } from './testing/test-service.js';

type Row = components['schemas']['UsageRowResponse'];

const BILLING = 'billing-operator-of-the-portal-0123456789';
const MB = 1_048_576;
/** More rows than the screen shows. */
const MANY = 260;
const number = new Intl.NumberFormat('en-GB');
const longMonth = new Intl.DateTimeFormat('en-GB', { month: 'long', year: 'numeric', timeZone: 'UTC' });

/** `YYYY-MM`, some months before the present one. */
function monthBefore(count: number): string {
  const now = new Date();
  return new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() - count)).toISOString().slice(0, 7);
}
const nameOf = (month: string) => longMonth.format(new Date(`${month}-01T00:00:00Z`));

const [OPEN, CLOSED, EMPTY] = [monthBefore(0), monthBefore(3), monthBefore(5)];

/** Writes usage as the service does: a row for each domain and day. */
async function writeUsage(database: Database): Promise<void> {
  const partners = await database.read<{ id: number; ref: string }>('SELECT id, ref FROM partner');
  const write = async (ref: string, name: string, day: string, more: Record<string, string | number | null> = {}) => {
    const partner_id = Number(partners.find((partner) => partner.ref === ref)?.id);
    const row = {
      month: day.slice(0, 7),
      name,
      day,
      partner_id,
      held: 1,
      mailboxes: 2,
      sent: 5,
      bytes: MB,
      bounces: 0,
      ...more,
    };
    const columns = Object.keys(row);
    await database.write(
      `INSERT INTO usage_day (${columns.join(', ')}) VALUES (${columns.map(() => '?').join(', ')})`,
      Object.values(row),
    );
  };
  for (let day = 1; day <= 20; day += 1) {
    const date = `${CLOSED}-${String(day).padStart(2, '0')}`;
    const plan = day <= 12 ? 'starter' : 'business';
    await write('acme', 'changed.example', date, {
      plan,
      mailboxes: 1_000 + day,
      sent: 12_345,
      storage_mb: 100 * day,
      external_ref: 'contract "7", north',
      billing_ref: 'sub_of_acme',
    });
    if (day < 9) await write('acme', 'deleted.example', date, { bounces: 3 });
  }
  for (let index = 0; index < MANY; index += 1) {
    await write('rival', `customer-${String(index).padStart(3, '0')}.example`, `${CLOSED}-04`, { plan: 'starter' });
  }
}

describe('usage', () => {
  let service: TestService;
  let browser: TestBrowser;
  let acme: string;

  beforeAll(async () => {
    const settings = { OPERATOR_TOKENS: `biller:billing:${BILLING}` };
    [service, browser] = await Promise.all([TestService.start('sqlite', settings), TestBrowser.start()]);
    [acme] = [await service.key('acme'), await service.key('rival')];
    await service.whileDown(writeUsage);
  });
  afterAll(async () => {
    await browser?.close();
    await service?.stop();
  });
  afterEach(() => expect(browser.takeFaults()).toEqual([]));

  /** The texts of the cells of a table, a row each, without their second facts. */
  const tableOf = async ({ page }: Visitor, name: string): Promise<string[][]> => {
    const rows = page.getByRole('table', { name, exact: true }).locator('tbody tr');
    await rows.first().waitFor();
    return rows.evaluateAll((all) =>
      all.map((row) =>
        [...row.querySelectorAll('th, td')].map((cell) => {
          const texts = [...cell.childNodes].filter(({ nodeName }) => nodeName !== 'SMALL');
          return texts
            .map(({ textContent }) => textContent)
            .join('')
            .trim();
        }),
      ),
    );
  };
  const numbersOf = ({ days, mailboxes_max, mailbox_days, storage_mb_days, sent, bounces }: Row) =>
    [days, mailboxes_max, mailbox_days, storage_mb_days, sent, bounces].map((value) =>
      value === null ? 'not known' : number.format(value),
    );
  /** The cells of a row of domains that `numbersOf` has. */
  const picked = (cells: string[]) => [2, 3, 4, 6, 7, 9].map((index) => cells[index]);

  describe('of a partner', () => {
    let visitor: Visitor;

    beforeAll(async () => {
      visitor = await browser.enter(service.url, acme);
    });
    afterAll(() => visitor?.context.close());

    it('has the numbers of the API for each domain and plan, and their sums', async () => {
      const rows = await service.call<Row[]>('GET', `/usage?month=${CLOSED}`, undefined, acme);
      expect(rows.map(({ domain, plan }) => `${domain} ${plan}`).sort()).toEqual([
        'changed.example business',
        'changed.example starter',
        'deleted.example null',
      ]);
      await visitor.goTo(`/usage?month=${CLOSED}`);
      await visitor.page.getByText(`${nameOf(CLOSED)} is closed`).waitFor();
      const shown = await tableOf(visitor, 'Usage of the domains');
      expect(shown.map(([domain, plan, ...rest]) => [domain, plan, ...picked(['', '', ...rest])])).toEqual(
        rows.map((row) => [row.domain, row.plan ?? 'none', ...numbersOf(row)]),
      );
      await visitor.page.getByText('contract "7", north').first().waitFor();
      expect(await visitor.page.getByText('sub_of_acme').count()).toBe(0);
      const total = (field: 'days' | 'mailbox_days' | 'storage_mb_days' | 'sent' | 'bounces') =>
        number.format(rows.reduce((sum, row) => sum + (row[field] ?? 0), 0));
      const all = (await tableOf(visitor, 'Sums')).at(-1);
      expect(all?.filter((_, index) => index !== 6)).toEqual([
        'All',
        '3',
        total('days'),
        total('mailbox_days'),
        total('storage_mb_days'),
        total('sent'),
        total('bounces'),
      ]);
      expect((await tableOf(visitor, 'Sums')).map(([plan]) => plan)).toEqual(['none', 'business', 'starter', 'All']);
      await visitor.page.getByText('All 3 rows are shown.').waitFor();
      await lookAt(browser, visitor, 'Usage');
    });

    it('is chosen by month, with the keyboard alone; a month without usage says so, and the present one is open', async () => {
      const { page } = visitor;
      await visitor.goTo(`/usage?month=${OPEN}`);
      await page.getByText(`${nameOf(OPEN)} is open: it closes on`).waitFor();
      await page.getByText(`No usage in ${nameOf(OPEN)}`).waitFor();
      await page.getByLabel('Month', { exact: true }).first().focus();
      await page.keyboard.press('ArrowDown');
      await page.getByRole('option', { name: nameOf(monthBefore(1)) }).waitFor();
      const chosen = page.locator('[role=option][data-combobox-selected]');
      for (let presses = 0; presses < 24 && (await chosen.allInnerTexts())[0] !== nameOf(EMPTY); presses += 1) {
        await page.keyboard.press('ArrowDown');
      }
      await page.keyboard.press('Enter');
      await page.waitForURL((url) => url.searchParams.get('month') === EMPTY);
      await page.getByText(`No usage in ${nameOf(EMPTY)}`).waitFor();
      await lookAt(browser, visitor, 'Usage, empty');
    });

    it('is saved as the CSV of the API', async () => {
      const { page } = visitor;
      await visitor.goTo(`/usage?month=${CLOSED}`);
      const downloading = page.waitForEvent('download');
      await page.getByRole('button', { name: 'CSV file' }).click();
      const file = await downloading;
      expect(file.suggestedFilename()).toBe(`usage-${CLOSED}.csv`);
      const response = await fetch(`${service.url}/usage?month=${CLOSED}`, {
        headers: { Authorization: `Bearer ${acme}`, Accept: 'text/csv' },
      });
      const text = await readFile(await file.path(), 'utf8');
      expect(text).toBe(await response.text());
      expect(text).toContain('"contract ""7"", north"');
    });

    it('says that it reads, and why it could not; trying again helps', async () => {
      const { page } = visitor;
      let letGo: () => void = () => undefined;
      const isHeld = new Promise<void>((resolve) => {
        letGo = resolve;
      });
      const isOfApi = (url: URL) => url.pathname === '/usage';
      await page.route(isOfApi, async (route) => {
        await isHeld;
        await route.abort('connectionrefused');
      });
      await visitor.goTo(`/usage?month=${CLOSED}`);
      await page.getByText('Reading the month …').waitFor();
      letGo();
      await page.getByRole('alert').filter({ hasText: 'This could not be read' }).waitFor();
      await page.getByRole('button', { name: 'CSV file' }).click();
      await page.getByText('Not saved').waitFor();
      await page.unroute(isOfApi);
      await page.getByRole('button', { name: 'Try again' }).first().click();
      await page.getByText('All 3 rows are shown.').waitFor();
    });

    it('says what is wrong with a month that has not begun', async () => {
      await visitor.goTo('/usage?month=2999-01');
      await visitor.page.getByText('Month: must not be after the present UTC month').waitFor();
    });
  });

  it.each([
    ['master', MASTER],
    ['billing', BILLING],
  ])(
    'of all partners shows the first rows and the sums of all, and one partner when it is named, as %s',
    async (_, token) => {
      const visitor = await browser.enter(service.url, token);
      const { page } = visitor;
      await visitor.goTo(`/usage?month=${CLOSED}`);
      await page.getByText(`The first 200 of ${MANY + 3} rows are shown.`).waitFor();
      const shown = await tableOf(visitor, 'Usage of the domains');
      expect([shown.length, shown[0]?.slice(0, 2)]).toEqual([200, ['changed.example', 'acme']]);
      expect((await tableOf(visitor, 'Sums')).at(-1)?.[1]).toBe(number.format(MANY + 3));
      await page.getByText('sub_of_acme').first().waitFor();
      await page.getByLabel('Partner').fill('acme');
      await page.keyboard.press('Enter');
      await page.getByText('All 3 rows are shown.').waitFor();
      expect(new URL(page.url()).searchParams.get('partner')).toBe('acme');
      await lookAt(browser, visitor, `Usage of a partner as ${token}`);
      const downloading = page.waitForEvent('download');
      await page.getByRole('button', { name: 'CSV file' }).click();
      expect((await downloading).suggestedFilename()).toBe(`usage-acme-${CLOSED}.csv`);
      await page.getByLabel('Partner').fill('nobody');
      await page.getByRole('button', { name: 'Show', exact: true }).click();
      await page.getByRole('alert').filter({ hasText: 'There is nothing here' }).waitFor();
      await visitor.context.close();
    },
  );
});
