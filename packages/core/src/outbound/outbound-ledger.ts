import type { Domain } from '../domains/domain.js';
import type { DomainName } from '../domains/domain-name.js';
import type { Verification } from '../relay/verification.js';
import type { BounceKind, BounceWindow } from './bounce-rule.js';
import type { ClosedDay, ClosedPeriod, OutboundCounter } from './outbound-counter.js';
import type { OutboundPeriod } from './outbound-period.js';
import type { TierLimits } from './outbound-settings.js';
import type { Recipient, RecipientFacts } from './recipients.js';

/** The fields of a domain that a verdict needs, with its counters. The row is locked. */
export interface LedgerDomain
  extends Pick<
    Domain,
    | 'id'
    | 'name'
    | 'partnerId'
    | 'partnerRef'
    | 'suspensionCauses'
    | 'outboundTier'
    | 'outboundEnforcement'
    | 'outboundStatus'
    | 'operatorDailyLimit'
    | 'operatorMonthlyLimit'
    | 'clientDailyLimit'
    | 'clientMonthlyLimit'
    | 'transferMonthlyMb'
    | 'parentId'
    | 'inheritedUntil'
  > {
  verificationStatus: Verification['status'];
  verificationLostAt: Date | null;
  counter: OutboundCounter;
}

/** The data that the ledger must read for one item. Names and senders are in lower case. */
export interface LedgerQuery {
  domain: DomainName;
  sender: string | null;
  /** The id that the caller gave, compared byte by byte, with a prefix for its kind: `message:` or `transfer:`. */
  id: string | null;
  /** The recipients, when the caller sent them. */
  recipients?: readonly Recipient[] | null;
}

/** An increment with an id that was counted less than 24 h ago. */
export interface CountedIncrement {
  count: number;
  /** The stored outcome, returned again for a repeat. */
  answer: Record<string, unknown>;
}

/** The data that was read under the locks. Deciding a batch changes it. */
export interface LedgerSnapshot {
  period: OutboundPeriod;
  tiers: TierLimits;
  /** The domains of the queries, by name; an unknown domain is absent. */
  domains: Map<DomainName, LedgerDomain>;
  /** The domains of the queries and their parents, by id. */
  byId: Map<number, LedgerDomain>;
  /** Senders that are mailboxes of the domain's partner and have a daily limit, by `senderKey`. */
  mailboxes: Map<string, { dailyLimit: number; sentToday: number }>;
  /** By `incrementKey`. */
  increments: Map<string, CountedIncrement>;
  /** Facts about all recipients in the queries. */
  recipients: RecipientFacts;
}

/** The rows that a batch changed. */
export interface LedgerChanges {
  counters: Set<OutboundCounter>;
  closed: ClosedPeriod[];
  /**
   * Ended days that were still in a counter. The bounce window read them from the counter, and reads them from these rows
   * after the batch.
   */
  days: ClosedDay[];
  senders: Map<string, { domainId: number; sender: string; sent: number }>;
  increments: Map<string, CountedIncrement & { domainId: number; id: string }>;
}

export function senderKey(domainId: number, sender: string): string {
  return `${domainId} ${sender}`;
}

export function incrementKey(domainId: number, id: string): string {
  return `${domainId} ${id}`;
}

export interface SentMessageEvent {
  kind: BounceKind;
  /** When the message was sent. The event counts on that day. */
  sentAt: Date;
}

/**
 * The outbound counters. Every method runs inside a unit of work and locks in one order: first the epochs (shared), then the
 * counters of the domains and of their linked parents by id. Every value is read after its lock, so that it is still current
 * when the verdict is written.
 */
export abstract class OutboundLedger {
  /** Locks and reads everything that the decision of a batch needs, in a fixed number of statements. */
  abstract lockAndRead(queries: readonly LedgerQuery[], now: Date): Promise<LedgerSnapshot>;
  /** Like `lockAndRead`, without locks, for previews: a missing counter reads as 0, and ids are not read. */
  abstract read(queries: readonly LedgerQuery[], now: Date): Promise<LedgerSnapshot>;
  /**
   * Writes the changes of a batch in a fixed number of statements and commits. It must be the last call of its unit of work.
   */
  abstract writeAndCommit(changes: LedgerChanges, period: OutboundPeriod, now: Date): Promise<void>;
  /**
   * Counts bounces and complaints on a domain and its linked parent: in the current month, and on the day when each message
   * was sent, unless that day is before the domain's window. The caller must have locked the domain, and its parent when it
   * may have to be blocked.
   * @returns the windows after the change; the window of an unknown domain is empty.
   */
  abstract countBounces(domainId: number, events: readonly SentMessageEvent[], now: Date): Promise<BounceWindow>;
  /**
   * Removes what was sent and what bounced today from the window, which restarts now. The caller has locked the domain and
   * saved `bounceWindowStart`.
   */
  abstract restartBounceWindow(domainId: number, now: Date): Promise<void>;
}
