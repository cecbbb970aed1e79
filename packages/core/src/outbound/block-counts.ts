import { windowStartDay } from './bounce-rule.js';
import type { RecordedDomain, StopChange } from './stop-records.js';

/** What was counted at the moment when bounces or complaints blocked a domain. */
export interface BlockCounts {
  /** The first UTC day that counted, `YYYY-MM-DD`; the last one is that of the block. */
  from: string;
  /** Outside recipients of messages. */
  sent: number;
  bounces: number;
  complaints: number;
  /** Of what blocked the domain: bounces, or complaints, for each message. A fraction. */
  rate: number;
  /** The limit that the rate reached, a fraction. Null for a block by a release that did not store it. */
  rateLimit: number | null;
}

/** @param change that blocked the domain; null when it is not known. @returns null for a block by an operator */
export function countsOf(
  { blockedReason, blockedAt, bounceWindowStart }: RecordedDomain,
  change: StopChange | null,
): BlockCounts | null {
  const { sent, bounces, complaints, rate_limit: limit } = change?.after ?? {};
  if (blockedReason === null || blockedReason === 'operator' || blockedAt === null) return null;
  if (typeof sent !== 'number' || typeof bounces !== 'number' || typeof complaints !== 'number') return null;
  return {
    from: windowStartDay(blockedAt, bounceWindowStart),
    sent,
    bounces,
    complaints,
    rate: sent === 0 ? 0 : (blockedReason === 'bounce_rate' ? bounces : complaints) / sent,
    rateLimit: typeof limit === 'number' ? limit : null,
  };
}
