import type { Domain } from '../domains/domain.js';
import type { DomainName } from '../domains/domain-name.js';
import type { Verification } from '../relay/verification.js';
import type { BounceKind, BounceWindow } from './bounce-rule.js';
import type { ClosedDay, ClosedPeriod, OutboundCounter } from './outbound-counter.js';
import type { OutboundPeriod } from './outbound-period.js';
import type { TierLimits } from './outbound-settings.js';
import type { Recipient, RecipientFacts } from './recipients.js';

/** What a verdict needs of a domain, and its counters, locked. */
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

/** What the ledger has to read for one item. Names and senders in lower case. */
export interface LedgerQuery {
  domain: DomainName;
  sender: string | null;
  /** The caller's own id, byte-exact, in the space of its kind: `message:` or `transfer:`. */
  id: string | null;
  /** The recipients, when they were given one by one. */
  recipients?: readonly Recipient[] | null;
}

/** An increment with an id that was counted less than 24 h ago. */
export interface CountedIncrement {
  count: number;
  /** The answer, to be repeated. */
  answer: Record<string, unknown>;
}

/** What was read under the locks. Deciding a batch changes it. */
export interface LedgerSnapshot {
  period: OutboundPeriod;
  tiers: TierLimits;
  /** The domains asked for, by name; an unknown one is absent. */
  domains: Map<DomainName, LedgerDomain>;
  /** The same and their parents, by id. */
  byId: Map<number, LedgerDomain>;
  /** Senders that are mailboxes of the domain's partner and have a daily limit, by `senderKey`. */
  mailboxes: Map<string, { dailyLimit: number; sentToday: number }>;
  /** By `incrementKey`. */
  increments: Map<string, CountedIncrement>;
  /** About all recipients in the queries. */
  recipients: RecipientFacts;
}

/** The rows that a batch changed. */
export interface LedgerChanges {
  counters: Set<OutboundCounter>;
  closed: ClosedPeriod[];
  /** Days that ended in a counter. From now on the bounce window reads them here, until now it read them in the counter. */
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
  /** When the message was sent: its day is the one it counts on. */
  sentAt: Date;
}

/**
 * The outbound counters. Every method runs inside a unit of work and locks in one order: the epochs (shared), then the
 * counters of the domains and of their linked parents by id. Every value is read after its lock, so that it still holds when the
 * verdict is written.
 */
export abstract class OutboundLedger {
  /** Locks and reads everything that deciding a batch needs, in a fixed number of statements. */
  abstract lockAndRead(queries: readonly LedgerQuery[], now: Date): Promise<LedgerSnapshot>;
  /** The same without locks, for previews: a missing counter reads as 0, and ids are not read. */
  abstract read(queries: readonly LedgerQuery[], now: Date): Promise<LedgerSnapshot>;
  /** Writes the changes of a batch in a fixed number of statements and commits: the last call of its unit of work. */
  abstract writeAndCommit(changes: LedgerChanges, period: OutboundPeriod, now: Date): Promise<void>;
  /**
   * Counts bounces and complaints on a domain and its linked parent: on the running month, and on the day each message
   * was sent, unless that lies before the domain's window. The domain, and its parent when it may have to be blocked,
   * are locked by the caller before. @returns the windows afterwards; an unknown domain's is empty.
   */
  abstract countBounces(domainId: number, events: readonly SentMessageEvent[], now: Date): Promise<BounceWindow>;
  /** Removes what was sent and bounced today from the window, which restarts now. The domain is locked, `bounceWindowStart` saved. */
  abstract restartBounceWindow(domainId: number, now: Date): Promise<void>;
}
