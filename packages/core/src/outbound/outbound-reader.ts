import type { BounceWindow } from './bounce-rule.js';
import type { ClosedPeriod } from './outbound-counter.js';

export interface LiveCounters {
  sentToday: number;
  forwardedToday: number;
  sentThisMonth: number;
  bytesThisMonth: number;
  window: Pick<BounceWindow, 'sent' | 'bounces' | 'complaints'>;
}

export interface SenderRow {
  sender: string;
  sentToday: number;
  /** 0 is unlimited; null when the sender is no mailbox of the domain's partner. */
  outboundDailyLimit: number | null;
}

export interface HistoryRow extends Omit<ClosedPeriod, 'domainId'> {
  id: number;
}

/** What was counted, read without locks. Nothing here is an aggregate: it only shows. */
export abstract class OutboundReader {
  abstract live(domainId: number, bounceWindowStart: Date | null, now: Date): Promise<LiveCounters>;
  /** Today's senders, highest first, then by name; from the given rank on. */
  abstract senders(domainId: number, page: { from: number; limit: number }, now: Date): Promise<SenderRow[]>;
  /** Frozen periods, newest first: ids below `before`. */
  abstract history(domainId: number, page: { before: number; limit: number }): Promise<HistoryRow[]>;
}
