import { NARROW, TestBrowser, type Visitor } from './testing/browser.js';
import { EXPECTED, mailboxOf, startInEveryState } from './testing/state-service.js';
import type { TestService } from './testing/test-service.js';

const ACCEPTED = 'Incoming mail is accepted';
const WAITS = 'Incoming mail waits at its senders, and is not lost';
const CLOSED = 'Incoming mail is not accepted until the domain was verified once';
const NO_MX = 'No mail arrives: the domain has no MX record that leads here.';
const AT_MAILBOXES = 'No mail arrives here: it arrives in mailboxes of Google or Microsoft.';
const ELSEWHERE = 'Mail arrives at other hosts first.';
/** Every answer to whether a mailbox gets mail now. */
const ANSWERS = [ACCEPTED, WAITS, CLOSED, NO_MX, AT_MAILBOXES, ELSEWHERE];

const PROVIDER = 'Ask Alpen Web: help@alpen-web.example';
/** The page names nobody while the partner is suspended. */
const UNNAMED = 'Ask your provider';

/** For each state but those in which mail comes in and goes out: the answers, and whom a customer asks. */
const IN_STATE: Record<string, [answers: string[], asks: string | null]> = {
  'abuse.example': [[WAITS], PROVIDER],
  'unpaid.example': [[WAITS], PROVIDER],
  'by-the-operator.example': [[WAITS], PROVIDER],
  'by-its-partner.example': [[WAITS], PROVIDER],
  'partner-sends-nothing.example': [[ACCEPTED], UNNAMED],
  'partner-stopped.example': [[WAITS], UNNAMED],
  'by-operator.example': [[ACCEPTED], PROVIDER],
  'bounces.example': [[ACCEPTED], PROVIDER],
  'complaints.example': [[ACCEPTED], PROVIDER],
  'failed.example': [[ACCEPTED], PROVIDER],
  'lost-lately.example': [[ACCEPTED], PROVIDER],
  'lost.example': [[ACCEPTED], PROVIDER],
  'at-risk.example': [[ACCEPTED], PROVIDER],
  'at-day.example': [[ACCEPTED], PROVIDER],
  'own-limit.example': [[ACCEPTED], PROVIDER],
  'at-month.example': [[ACCEPTED], PROVIDER],
  'monitored.example': [[ACCEPTED], PROVIDER],
  'capped.example': [[ACCEPTED], PROVIDER],
  'closed.example': [[CLOSED], PROVIDER],
  'two.example': [[CLOSED], PROVIDER],
  'no-mx.example': [[NO_MX], PROVIDER],
  'no-spf.example': [[ACCEPTED], PROVIDER],
  'no-records.example': [[NO_MX], PROVIDER],
  'mx-elsewhere.example': [[ACCEPTED, ELSEWHERE], PROVIDER],
  'mx-mailboxes.example': [[AT_MAILBOXES], PROVIDER],
  'mx-elsewhere-near-day.example': [[ACCEPTED, ELSEWHERE], PROVIDER],
  'blocked-no-mx.example': [[NO_MX], PROVIDER],
  'suspended-no-spf.example': [[WAITS], PROVIDER],
  'waiting.example': [[CLOSED], PROVIDER],
};
const FINE = ['well.example', 'near-day.example', 'near-month.example'];

describe('a customer on a phone, who asks whether a mailbox gets mail now, and whom to ask', () => {
  let service: TestService;
  let browser: TestBrowser;
  const links = new Map<string, string>();

  beforeAll(async () => {
    const brand = { name: 'Alpen Web', language: 'en', support_email: 'help@alpen-web.example' };
    const begin = async (started: TestService, name: string, token: string) => {
      await started.call('PUT', '/me/brand', brand, token);
      const asked = { domain: name, scope: 'manage' };
      const { url } = await started.call<{ url: string }>('POST', '/portal-links', asked, token);
      links.set(name, url);
    };
    [service, browser] = await Promise.all([startInEveryState(begin), TestBrowser.start()]);
  });
  afterAll(async () => {
    await browser?.close();
    await service?.stop();
  });
  afterEach(() => expect(browser.takeFaults()).toEqual([]));

  /** Enters by the link of a domain, which shows its Overview. */
  async function customerOf(name: string): Promise<Visitor> {
    const visitor = await browser.visit(service.url, NARROW);
    await visitor.page.goto(`${service.url}${links.get(name)}`);
    await visitor.page.getByRole('button', { name: 'Enter' }).click();
    await visitor.page.getByRole('heading', { level: 1, name }).waitFor();
    return visitor;
  }

  /** @returns which answers the screen gives, and whom it says to ask; null: nobody */
  async function toldBy({ page }: Visitor): Promise<[answers: string[], asks: string | null]> {
    const now = page.getByRole('region', { name: 'Mail now' });
    await now
      .getByText(/ncoming mail|No mail arrives/)
      .first()
      .waitFor();
    const text = await now.innerText();
    const asks = /Ask [^\n.]*(\.example)?/.exec(text)?.[0] ?? null;
    return [ANSWERS.filter((answer) => text.includes(answer)), asks];
  }

  it('every state has its answer', () => {
    expect([...Object.keys(IN_STATE), ...FINE].toSorted()).toEqual(EXPECTED.map(([name]) => name).toSorted());
  });

  it.each([...Object.entries(IN_STATE), ...FINE.map((name) => [name, [[ACCEPTED], null]] as const)])(
    'is answered by the first screen, and by that of the mailbox: %s',
    async (name, told) => {
      const visitor = await customerOf(name);
      expect(await toldBy(visitor)).toEqual(told);
      await visitor.goTo(`/domains/${name}/mailboxes/${mailboxOf(name)}`);
      expect(await toldBy(visitor)).toEqual(told);
      await visitor.context.close();
    },
  );
});
