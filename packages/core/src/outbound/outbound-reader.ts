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
  /** 0 is unlimited. Null when the sender is not a mailbox of the domain's partner. */
  outboundDailyLimit: number | null;
}

export interface HistoryRow extends Omit<ClosedPeriod, 'domainId'> {
  id: number;
}

/** Counters for display, read without locks. */
export abstract class OutboundReader {
  abstract live(domainId: number, bounceWindowStart: Date | null, now: Date): Promise<LiveCounters>;
  /** Today's senders, highest count first, then by name. `from` is the rank of the first row, starting at 0. */
  abstract senders(domainId: number, page: { from: number; limit: number }, now: Date): Promise<SenderRow[]>;
  /** Frozen periods with an id below `before`, newest first. */
  abstract history(domainId: number, page: { before: number; limit: number }): Promise<HistoryRow[]>;
}
