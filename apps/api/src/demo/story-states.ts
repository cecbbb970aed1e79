import { AGED_MS, type Fate } from '@mailstead/adapters/demo/invented-outside';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '@mailstead/core/clock';
import type { SuspensionCause } from '@mailstead/core/domains/suspension';
import type { OutboundChange } from '@mailstead/core/outbound/configure-outbound';
import type { DnsLack } from '@mailstead/core/relay/looks/dns-lacks';

/** How a domain gets its state. What is left out does not happen. */
export interface StoryPlot {
  /** How long ago the domain was created; two months when left out. */
  ageMs?: number;
  /** What the relay says of it. */
  fate?: Fate;
  /** What it lacks in the DNS. */
  lacks?: readonly DnsLack[];
  /** How long ago what follows happened, after which it sent nothing; just now when left out, and it still sends. */
  sinceMs?: number;
  suspended?: SuspensionCause;
  /** What master sets. */
  outbound?: OutboundChange;
  /** The limit a day that its partner sets. */
  ownDailyLimit?: number;
  transferMonthlyMb?: number;
  isClosed?: boolean;
  /** How many messages bounced, or were reported as spam. */
  bounces?: number;
  complaints?: number;
  /** Megabytes of one message of today. */
  largeMessageMb?: number;
  /** Whether mail servers report that accepted mail waits. */
  mailWaits?: boolean;
  /** Whether it sent nothing before today. */
  isFirstDay?: boolean;
}

const NEVER_SENT = { isFirstDay: true };
const LATELY_MS = HOUR_MS;
const LONG_AGO_MS = 100 * HOUR_MS;

/** Every state in which a domain of a demo is, beside that of being well. */
export const PLOTS = {
  suspended_abuse: { sinceMs: 3 * DAY_MS, suspended: 'abuse' },
  suspended_billing: { sinceMs: 2 * DAY_MS, suspended: 'billing' },
  mail_waiting: { sinceMs: 6 * DAY_MS, suspended: 'operator', mailWaits: true },
  blocked: { outbound: { outboundStatus: 'blocked' } },
  bounces: { sinceMs: DAY_MS, bounces: 40 },
  complaints: { sinceMs: DAY_MS, complaints: 14 },
  awaited: { ageMs: 20 * MINUTE_MS, fate: 'waits', ...NEVER_SENT },
  unverified: { ageMs: 3 * DAY_MS, fate: 'waits', ...NEVER_SENT },
  failed: { ageMs: 8 * DAY_MS, fate: 'fails', ...NEVER_SENT },
  lost_lately: { ageMs: AGED_MS + LATELY_MS, fate: 'lost', sinceMs: LATELY_MS },
  lost: { ageMs: AGED_MS + LONG_AGO_MS, fate: 'lost', sinceMs: LONG_AGO_MS },
  at_risk: { ageMs: AGED_MS + LATELY_MS, fate: 'at_risk' },
  // What they send today decides.
  daily_near: {},
  daily_full: {},
  monthly_full: { outbound: { dailyLimit: 0, monthlyLimit: 100 }, isFirstDay: true },
  monthly_near: { outbound: { dailyLimit: 0, monthlyLimit: 100 }, isFirstDay: true },
  monitored: { outbound: { outboundEnforcement: 'monitor' } },
  transfer_full: { transferMonthlyMb: 512, largeMessageMb: 640 },
  own_limit: { ownDailyLimit: 50 },
  closed: { sinceMs: DAY_MS, isClosed: true },
  no_mx: { lacks: ['mx'] },
  no_spf: { lacks: ['spf'] },
  no_records: { lacks: ['mx', 'spf'] },
  mx_elsewhere: { lacks: ['mx_elsewhere'] },
  mx_mailboxes: { lacks: ['mx_mailboxes'] },
  closed_and_full: { isClosed: true },
  blocked_no_mx: { outbound: { outboundStatus: 'blocked' }, lacks: ['mx'] },
  suspended_no_spf: { sinceMs: DAY_MS, suspended: 'abuse', lacks: ['spf'] },
} as const satisfies Record<string, StoryPlot>;

export type StoryState = keyof typeof PLOTS;

export function plotOf({ state }: { state?: StoryState }): StoryPlot {
  return state === undefined ? {} : PLOTS[state];
}
