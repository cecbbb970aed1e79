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
  // The state of a domain follows its name.
  await dialog.getByRole('button', { name: subject }).click();
};
const byMailboxes: Way = async (visitor, email) => {
  const { page } = visitor;
  await byFinding(visitor, email.slice(email.indexOf('@') + 1));
  await page.getByRole('link', { name: 'Mailboxes', exact: true }).click();
  // The events of the screen before name it too, until the list is there.
  const list = page.getByRole('table', { name: 'mailboxes' });
  await list.getByRole('link', { name: email, exact: true }).click();
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
  who?: 'debtor' | 'halted';
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
    why: 'the relay will soon send no more for the domain',
    subject: 'risky.com',
    way: byWhatNeedsYou,
    cause: /DNS records are missing: it may still send, but soon not any more\./,
    lifts: YOU,
  },
  {
    why: 'the relay has paused the tenant of the partner',
    subject: 'halted.com',
    way: byFinding,
    cause:
      /Sending is paused, so its mail waits[^]*The relay provider does not send mail of the partner now\.\s+Since /,
    lifts: THE_OPERATOR,
    who: 'halted',
  },
  {
    why: 'the recipient is suppressed',
    subject: 'ann@well.com',
    way: byMailboxes,
    cause: /joe@far\.example Refused here: this address does not work, or does not want mail/,
    lifts: /May send/,
  },
  {
    why: 'the relay refused the message',
    subject: 'ann@well.com',
    way: byMailboxes,
    cause:
      /jim@far\.example Not delivered, and given up: the service that delivers mail to other servers refused it \(5\.7\.1\)/,
    lifts: /May send/,
  },
  {
    why: 'the server of the recipient refused the message',
    subject: 'ann@well.com',
    way: byMailboxes,
    cause: /jan@far\.example Not delivered, and given up: the server of the recipient refused it/,
    lifts: /May send/,
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
    tokens.halted = await service.key('halted');
    const call = (method: string, path: string, body: object = {}, token?: string) =>
      service.call(method, path, body, token);
    const names = ['held.com', 'paused.com', 'bouncing.com'];
    for (const name of [...names, 'busy-day.com', 'busy-month.com', 'heavy.com', 'risky.com', 'well.com'])
      await call('POST', '/domains/', { name }, tokens.acme);
    await call('POST', '/domains/', { name: 'owing.com' }, tokens.debtor);
    await call('POST', '/domains/', { name: 'halted.com' }, tokens.halted);
    /** What became of a message of a mailbox, a minute ago. */
    const report = async (recipient: string, steps: object[]) => {
      const message = {
        host: 'mx1',
        queue_id: recipient,
        direction: 'out',
        domain: 'well.com',
        sender: 'ann@well.com',
      };
      const at = (index: number) => new Date(Date.now() - 60_000 + index * 1_000).toISOString();
      const items = steps.map((step, index) => ({
        ...message,
        recipient: `${recipient}@far.example`,
        at: at(index),
        ...step,
      }));
      await call('POST', '/outbound/trail', { items });
    };
    await until('all domains are verified', async () => {
      const found = await service.call<unknown[]>('GET', '/domains/?verification_status=verified');
      return found.length >= 10;
    });
    await call('PUT', '/domains/held.com/parent', { wildcard_mode: 'any' });
    await call('POST', '/domains/', { name: 'shop.held.com' }, tokens.acme);
    for (const local of ['off', 'eager', 'ann'])
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
    await report('joe', [{ step: 'refused', reason: 'recipient_suppressed' }]);
    await report('jim', [{ step: 'accepted' }, { step: 'bounced', reason: '5.7.1', detail: '554 5.7.1 Rejected' }]);
    await report('jan', [{ step: 'accepted' }, { step: 'relayed' }, { step: 'bounced', reason: 'General' }]);
    await service.whileDown(
      async (database) => {
        await database.write(
          `INSERT INTO relay_tenant (partner_id, name, arn, status, is_asked, status_since)
           SELECT id, 'ms-1-1', 'arn:aws:ses:eu-central-1:123456789012:tenant/ms-1-1/1', 'paused', 0, ? FROM partner WHERE ref = ?`,
          [Date.now(), 'halted'],
        );
        await database.write(
          "INSERT INTO domain_attention (domain_id, reason, partner_id, period) SELECT id, 'dns_at_risk', partner_id, '' FROM domain WHERE name = ?",
          ['risky.com'],
        );
        await database.write("UPDATE domain SET blocked_reason = 'bounce_rate' WHERE name = ?", ['bouncing.com'], []);
      },
      // Without schedules: the hourly one ends the pauses of a provider without tenants.
      { SANDBOX_VERIFY_AFTER: '86400', SCHEDULES: 'off' },
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
      for (const who of ['acme', 'debtor', 'halted'])
        visitors[who] = await browser.enter(service.url, tokens[who] ?? '', size);
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
      // The messages that did not arrive are read after the verdict.
      await until('the box tells why', async () => cause.test(await box.innerText()));
      const text = await box.innerText();
      expect(text).toMatch(cause);
      expect(text).toMatch(lifts);
      const clicks = await page.evaluate(() => (window as unknown as { clicks: number }).clicks);
      expect(clicks).toBeGreaterThan(0);
      expect(clicks).toBeLessThanOrEqual(MOST_CLICKS);
    });
  });
});
