import { until } from '@mailstead/core/testing/until';
import { NARROW, TestBrowser, type Visitor, WIDE } from './testing/browser.js';
import { TestService } from './testing/test-service.js';

const MOST_CLICKS = 4;

/** Goes from Home to the box that tells whether mail goes out. */
type Way = (visitor: Visitor, subject: string) => Promise<void>;

const byWhatNeedsYou: Way = async ({ page }, domain) => {
  const needing = page.getByRole('region', { name: 'What needs you' });
  await needing.getByRole('link', { name: domain, exact: true }).click();
};
const byCount =
  (count: RegExp): Way =>
  async ({ page }, domain) => {
    await page.getByRole('link', { name: count }).click();
    await page.getByRole('link', { name: domain, exact: true }).click();
  };
const byFinding: Way = async ({ page }, subject) => {
  await page.getByRole('button', { name: 'Find anything' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('textbox').fill(subject);
  await dialog.getByRole('button', { name: subject, exact: true }).click();
};
const byMailboxes: Way = async (visitor, email) => {
  const { page } = visitor;
  await byFinding(visitor, email.slice(email.indexOf('@') + 1));
  await page.getByRole('link', { name: 'Mailboxes', exact: true }).click();
  await page.getByRole('link', { name: email, exact: true }).click();
};

interface Case {
  why: string;
  /** The domain or the mailbox whose mail does not go out. */
  subject: string;
  way: Way;
  /** The sentence of the cause. */
  cause: RegExp;
  /** Who lifts it, or when it ends by itself. */
  lifts: RegExp;
  who?: 'debtor';
}

const THE_OPERATOR = /Who must act: the operator\./;
const YOU = /Who must act: you\./;
const ITSELF = /It ends by itself at /;

const CASES: Case[] = [
  {
    why: 'the operator suspended the domain',
    subject: 'held.com',
    way: byWhatNeedsYou,
    cause: /Suspended because of abuse \(set by operator\), since /,
    lifts: THE_OPERATOR,
  },
  {
    why: 'the partner suspended the domain itself',
    subject: 'paused.com',
    way: byWhatNeedsYou,
    cause: /Suspended by the partner itself \(set by key:\d+\), since /,
    lifts: YOU,
  },
  {
    why: 'the partner is suspended',
    subject: 'owing.com',
    way: byCount(/with a suspended partner/),
    cause: /Suspended, with all domains of its partner, because of an unpaid bill/,
    lifts: /Who must act: billing, once the bill is paid\./,
    who: 'debtor',
  },
  {
    why: 'too much of its mail bounced',
    subject: 'bouncing.com',
    way: byWhatNeedsYou,
    cause: /Blocked because too many of its messages bounced/,
    lifts: THE_OPERATOR,
  },
  {
    why: 'the domain is not verified',
    subject: 'new.com',
    way: byFinding,
    cause: /Not verified, so it may not send/,
    lifts: YOU,
  },
  {
    why: 'the limit of the day is reached',
    subject: 'busy-day.com',
    way: byWhatNeedsYou,
    cause: /The limit of today is reached, so its mail waits until 00:00 UTC/,
    lifts: ITSELF,
  },
  {
    why: 'the limit of the month is reached',
    subject: 'busy-month.com',
    way: byWhatNeedsYou,
    cause: /The limit of this month is reached, so its mail waits until the 1st/,
    lifts: ITSELF,
  },
  {
    why: 'the transfer cap is reached',
    subject: 'heavy.com',
    way: byWhatNeedsYou,
    cause: /The transfer cap of this month is reached, so its mail waits until the 1st/,
    lifts: ITSELF,
  },
  {
    why: 'the parent domain is suspended',
    subject: 'shop.held.com',
    way: byFinding,
    cause: /Suspended, with its parent domain, because of abuse/,
    lifts: THE_OPERATOR,
  },
  {
    why: 'the mailbox is switched off',
    subject: 'off@well.com',
    way: byMailboxes,
    cause: /Switched off: nobody can log in, and nothing is sent/,
    lifts: YOU,
  },
  {
    why: 'the mailbox reached its own limit',
    subject: 'eager@well.com',
    way: byMailboxes,
    cause: /The mailbox reached its limit of today, so its mail waits until 00:00 UTC/,
    lifts: ITSELF,
  },
];

describe('why does this mail not go out?', () => {
  let service: TestService;
  let browser: TestBrowser;
  const tokens: Record<string, string> = {};

  beforeAll(async () => {
    [service, browser] = await Promise.all([TestService.start('sqlite'), TestBrowser.start()]);
    tokens.acme = await service.key('acme');
    tokens.debtor = await service.key('debtor');
    const call = (method: string, path: string, body: object = {}, token?: string) =>
      service.call(method, path, body, token);
    const names = ['held.com', 'paused.com', 'bouncing.com'];
    for (const name of [...names, 'busy-day.com', 'busy-month.com', 'heavy.com', 'well.com'])
      await call('POST', '/domains/', { name }, tokens.acme);
    await call('POST', '/domains/', { name: 'owing.com' }, tokens.debtor);
    await until('all domains are verified', async () => {
      const found = await service.call<unknown[]>('GET', '/domains/?verification_status=verified');
      return found.length >= 8;
    });
    await call('PUT', '/domains/held.com/parent', { wildcard_mode: 'any' });
    await call('POST', '/domains/', { name: 'shop.held.com' }, tokens.acme);
    for (const local of ['off', 'eager'])
      await call('POST', '/users/', { email: `${local}@well.com`, password: 'correct horse battery' }, tokens.acme);
    await call('PUT', '/users/off@well.com', { active: false });
    await call('PUT', '/users/eager@well.com', { outbound_daily_limit: 3 });
    await call('POST', '/domains/well.com/outbound/increment', { sender: 'eager@well.com', count: 3 });
    await call('PUT', '/domains/held.com/suspend', { cause: 'abuse' });
    await call('PUT', '/domains/paused.com/suspend', {}, tokens.acme);
    await call('PUT', '/partners/debtor/suspend', { cause: 'billing' });
    await call('PUT', '/domains/bouncing.com/outbound', { outbound_status: 'blocked' });
    await call('POST', '/domains/busy-day.com/outbound/increment', { count: 200 });
    await call('PUT', '/domains/busy-month.com/outbound', { monthly_limit: 20 });
    await call('POST', '/domains/busy-month.com/outbound/increment', { count: 20 });
    await call('PUT', '/domains/heavy.com/transfer', { transfer_monthly_mb: 1 });
    await call('POST', '/domains/heavy.com/outbound/increment', { count: 1, bytes: 1_048_576 });
    await service.whileDown(
      async (database) => {
        await database.write("UPDATE domain SET blocked_reason = 'bounce_rate' WHERE name = ?", ['bouncing.com'], []);
      },
      { SANDBOX_VERIFY_AFTER: '86400' },
    );
    await call('POST', '/domains/', { name: 'new.com' }, tokens.acme);
  });
  afterAll(async () => {
    await browser?.close();
    await service?.stop();
  });
  afterEach(() => expect(browser.takeFaults()).toEqual([]));

  describe.each([WIDE, NARROW])('at $width px', (size) => {
    const visitors: Record<string, Visitor> = {};

    beforeAll(async () => {
      for (const who of ['acme', 'debtor']) visitors[who] = await browser.enter(service.url, tokens[who] ?? '', size);
    });
    afterAll(async () => {
      for (const { context } of Object.values(visitors)) await context.close();
    });

    it.each(CASES)('$why: at most four clicks from Home', async ({ subject, way, cause, lifts, who = 'acme' }) => {
      const visitor = visitors[who];
      if (visitor === undefined) throw new Error(`Nobody entered as ${who}`);
      const { page } = visitor;
      await visitor.goTo('/');
      await page.getByRole('region', { name: 'What needs you' }).waitFor();
      // The page is not loaded anew on the way.
      await page.evaluate(() => {
        const counted = Object.assign(window, { clicks: 0 });
        document.addEventListener('click', ({ isTrusted }) => (counted.clicks += isTrusted ? 1 : 0), true);
      });
      await way(visitor, subject);
      const box = page.getByRole('region', { name: 'Mail now' });
      await box.getByText(/Incoming mail/).waitFor();
      await page
        .getByRole('heading', { level: 1, name: subject.slice(subject.indexOf('@') + 1), exact: true })
        .waitFor();
      const text = await box.innerText();
      expect(text).toMatch(cause);
      expect(text).toMatch(lifts);
      const clicks = await page.evaluate(() => (window as unknown as { clicks: number }).clicks);
      expect(clicks).toBeGreaterThan(0);
      expect(clicks).toBeLessThanOrEqual(MOST_CLICKS);
    });
  });
});
