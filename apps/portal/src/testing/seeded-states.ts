import { HOUR_MS } from '@mailstead/core/clock';
import type { Flow } from '@mailstead/core/domains/flow';

const MB = 1_048_576;

/** What makes the state of a domain. */
interface Seed {
  /** Calls the API about the domain, as master. */
  put: (path: string, body?: object) => Promise<unknown>;
  /** Calls the API about the domain, as its partner. */
  own: (path: string, body?: object) => Promise<unknown>;
  /** Calls the API about the partner of the domain, which has no other one, as master. */
  partner: (path: string, body?: object) => Promise<unknown>;
  /** Counts messages, and bytes, that left. */
  sent: (count: number, bytes?: number) => Promise<unknown>;
  /** Changes a field of the row of the domain, or of its verification, while the service does not run. */
  later: (table: 'domain' | 'verification', column: string, value: string | number | null) => void;
  /** Has a reason for attention that comes from outside. */
  needs: (reason: string) => void;
  /** Lacks records in the DNS: `mx`, `mx_mailboxes`, `mx_elsewhere`, `spf`, or several of them. */
  lacks: (records: string) => void;
}

/** Each state: how a domain gets it, what it sends and receives, and the words of the page. */
export const STATES: Record<string, [(seed: Seed) => unknown, sends: [Flow, RegExp], receives: [Flow, string]]> = {
  'well.example': [() => {}, ['yes', /^Sends$/], ['yes', 'Receives']],
  'abuse.example': [({ put }) => put('suspend', { cause: 'abuse' }), ['off', /^Suspended$/], ['off', 'Suspended']],
  'unpaid.example': [({ put }) => put('suspend', { cause: 'billing' }), ['off', /^Suspended$/], ['off', 'Suspended']],
  'by-the-operator.example': [({ put }) => put('suspend'), ['off', /^Suspended$/], ['off', 'Suspended']],
  'by-its-partner.example': [({ own }) => own('suspend'), ['off', /^Suspended$/], ['off', 'Suspended']],
  'partner-sends-nothing.example': [
    ({ partner }) => partner('suspend', { cause: 'billing', stage: 'changes' }),
    ['off', /^Partner suspended$/],
    ['yes', 'Receives'],
  ],
  'partner-stopped.example': [
    ({ partner }) => partner('suspend', { cause: 'billing', stage: 'all' }),
    ['off', /^Partner suspended$/],
    ['off', 'Partner suspended'],
  ],
  'by-operator.example': [
    ({ put }) => put('outbound', { outbound_status: 'blocked' }),
    ['no', /^Sending stopped$/],
    ['yes', 'Receives'],
  ],
  'bounces.example': [
    async ({ put, later }) => {
      await put('outbound', { outbound_status: 'blocked' });
      later('domain', 'blocked_reason', 'bounce_rate');
    },
    ['no', /^Stopped: bounces$/],
    ['yes', 'Receives'],
  ],
  'complaints.example': [
    async ({ put, later }) => {
      await put('outbound', { outbound_status: 'blocked' });
      later('domain', 'blocked_reason', 'complaint_rate');
    },
    ['no', /^Stopped: spam reports$/],
    ['yes', 'Receives'],
  ],
  'failed.example': [
    ({ later }) => {
      later('verification', 'status', 'failed');
      later('verification', 'lost_at', null);
    },
    ['no', /^Not verified$/],
    ['yes', 'Receives'],
  ],
  'lost-lately.example': [
    ({ later }) => {
      later('verification', 'status', 'failed');
      later('verification', 'lost_at', Date.now() - HOUR_MS);
    },
    ['waits', /^Sending waits$/],
    ['yes', 'Receives'],
  ],
  'lost.example': [
    ({ later }) => {
      later('verification', 'status', 'failed');
      later('verification', 'lost_at', Date.now() - 100 * HOUR_MS);
    },
    ['no', /^Not verified$/],
    ['yes', 'Receives'],
  ],
  'at-risk.example': [({ needs }) => needs('dns_at_risk'), ['at_risk', /^DNS at risk$/], ['yes', 'Receives']],
  'near-day.example': [({ sent }) => sent(165), ['at_risk', /^Near the limit of the day$/], ['yes', 'Receives']],
  'at-day.example': [({ sent }) => sent(200), ['waits', /^Waits until \S/], ['yes', 'Receives']],
  'own-limit.example': [
    async ({ own, sent }) => {
      await own('outbound', { daily_limit: 5 });
      await sent(5);
    },
    ['waits', /^Waits until \S/],
    ['yes', 'Receives'],
  ],
  'at-month.example': [
    async ({ put, sent }) => {
      await put('outbound', { daily_limit: 0, monthly_limit: 100 });
      await sent(100);
    },
    ['waits', /^Waits until \S/],
    ['yes', 'Receives'],
  ],
  'near-month.example': [
    async ({ put, sent }) => {
      await put('outbound', { daily_limit: 0, monthly_limit: 100 });
      await sent(80);
    },
    ['at_risk', /^Near the limit of the month$/],
    ['yes', 'Receives'],
  ],
  'monitored.example': [
    async ({ put, sent }) => {
      await put('outbound', { outbound_enforcement: 'monitor' });
      await sent(200);
    },
    ['monitored', /^Over its limit, and still sends$/],
    ['yes', 'Receives'],
  ],
  'capped.example': [
    async ({ put, sent }) => {
      await put('transfer', { transfer_monthly_mb: 10 });
      await sent(1, 30 * MB);
    },
    ['waits', /^Waits until \S/],
    ['yes', 'Receives'],
  ],
  'closed.example': [
    ({ put }) => put('inbound', { inbound: 'pending' }),
    ['yes', /^Sends$/],
    ['no', 'No mail arrives'],
  ],
  'two.example': [
    async ({ put, sent }) => {
      await put('inbound', { inbound: 'pending' });
      await sent(200);
    },
    ['waits', /^Sending waits$/],
    ['no', 'No mail arrives'],
  ],
  'no-mx.example': [({ lacks }) => lacks('mx'), ['yes', /^Sends$/], ['no', 'MX missing']],
  'no-spf.example': [({ lacks }) => lacks('spf'), ['at_risk', /^SPF missing$/], ['yes', 'Receives']],
  'no-records.example': [({ lacks }) => lacks('mx,spf'), ['at_risk', /^SPF missing$/], ['no', 'MX missing']],
  'mx-elsewhere.example': [({ lacks }) => lacks('mx_elsewhere'), ['yes', /^Sends$/], ['at_risk', 'MX elsewhere']],
  'mx-mailboxes.example': [
    ({ lacks }) => lacks('mx_mailboxes'),
    ['yes', /^Sends$/],
    ['no', 'MX of Google or Microsoft'],
  ],
  // Their other reason is of the other direction.
  'mx-elsewhere-near-day.example': [
    async ({ sent, lacks }) => {
      await sent(165);
      lacks('mx_elsewhere');
    },
    ['at_risk', /^Near the limit of the day$/],
    ['at_risk', 'MX elsewhere'],
  ],
  'blocked-no-mx.example': [
    async ({ put, lacks }) => {
      await put('outbound', { outbound_status: 'blocked' });
      lacks('mx');
    },
    ['no', /^Sending stopped$/],
    ['no', 'MX missing'],
  ],
  'suspended-no-spf.example': [
    async ({ put, lacks }) => {
      await put('suspend', { cause: 'abuse' });
      lacks('spf');
    },
    ['off', /^Suspended$/],
    ['off', 'Suspended'],
  ],
};

const NO_MX = 'No mail arrives: the domain has no MX record that leads here.';
const MX_MAILBOXES = 'No mail arrives here: it arrives in mailboxes of Google or Microsoft.';
const MX_ELSEWHERE = 'Mail arrives at other hosts first.';
const NO_SPF = 'Receivers may treat its mail as spam: no SPF record of the domain allows this service to send.';

/** What the box "Mail now" says about missing records, beside what is true of the verdict. */
export const LACKING: Record<string, [verdict: string, lacks: string[]]> = {
  'no-mx.example': ['May send', [NO_MX]],
  'no-spf.example': ['May send', [NO_SPF]],
  'no-records.example': ['May send', [NO_MX, NO_SPF]],
  'mx-mailboxes.example': ['May send', [MX_MAILBOXES]],
  'mx-elsewhere.example': ['May send', [MX_ELSEWHERE]],
  'mx-elsewhere-near-day.example': ['May send', [MX_ELSEWHERE]],
  'blocked-no-mx.example': ['Sending is blocked', [NO_MX]],
  'suspended-no-spf.example': ['Suspended, so its mail waits', [NO_SPF]],
};

export const LACK_SENTENCES = [NO_MX, MX_MAILBOXES, MX_ELSEWHERE, NO_SPF];
