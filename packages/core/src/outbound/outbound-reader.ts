import type { DomainName } from '../domains/domain-name.js';
import type { Page } from '../page.js';
import type { PartnerScope } from '../partners/partner-scope.js';
import type { BounceWindow } from './bounce-rule.js';
import type { ClosedPeriod } from './outbound-counter.js';

export interface LiveCounters {
  sentToday: number;
  forwardedToday: number;
  sentThisMonth: number;
  bytesThisMonth: number;
  /** The received part of `bytesThisMonth`. */
  bytesInThisMonth: number;
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

/** The number of UTC days that `days` returns. */
export const OUTBOUND_DAYS = 30;

/** What was counted on one UTC day. Bounces and complaints belong to the day on which their message was sent. */
export interface OutboundDay {
  /** `YYYY-MM-DD` */
  day: string;
  /** Also what a reset on request took from the counters of that day. */
  sent: number;
  bounces: number;
  complaints: number;
}

/** The sums of all domains of a partner. */
export interface PartnerSent {
  sentToday: number;
  sentThisMonth: number;
}

/** Counters for display, read without locks. */
export abstract class OutboundReader {
  abstract live(domainId: number, bounceWindowStart: Date | null, now: Date): Promise<LiveCounters>;
  /**
   * Today's senders, highest count first, then by name. `from` is the rank of the first row, starting at 0.
   *
   * @param scope of a partner: without the addresses of other partners' domains; limited to some domains: only
   * addresses in them
   */
  abstract senders(
    domainId: number,
    scope: PartnerScope,
    page: { from: number; limit: number },
    now: Date,
  ): Promise<SenderRow[]>;
  /** Frozen periods with an id below `before`, newest first. */
  abstract history(domainId: number, page: { before: number; limit: number }): Promise<HistoryRow[]>;
  /** The id under which `history` finds the last deleted domain of a name; null when none is known. */
  abstract deletedCounters(name: DomainName): Promise<number | null>;
  /** The last `OUTBOUND_DAYS` days, oldest first; the last one is today. A day without mail has zeros. */
  abstract days(domainId: number, now: Date): Promise<OutboundDay[]>;
  /** What the domains of a partner sent while they were its domains. What is deleted or moved later stays here. */
  abstract partnerDays(partnerId: number, now: Date): Promise<OutboundDay[]>;
  /**
   * What the domains of all partners sent, as `partnerDays`: what is moved, deleted or restored changes none of it.
   * Reads a fixed number of rows, however many partners there are.
   */
  abstract allDays(now: Date): Promise<OutboundDay[]>;
  /**
   * The domains whose limits may be near, in keyset pages: those that sent or received mail this month; with the id of
   * a domain it and those that are linked to it.
   */
  abstract withLimits(domainId: number | null, page: Page, now: Date): Promise<{ id: number; name: DomainName }[]>;
  abstract partnerSent(partnerId: number, now: Date): Promise<PartnerSent>;
}
