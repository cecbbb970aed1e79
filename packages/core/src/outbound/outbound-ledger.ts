import type { Domain } from '../domains/domain.js';
import type { DomainName } from '../domains/domain-name.js';
import type { DomainWithParent } from '../domains/domain-repository.js';
import type { Verification } from '../relay/verification.js';
import type { BounceKind, BounceWindow } from './bounce-rule.js';
import type { CountedIncrement } from './outbound-answer.js';
import type { ClosedDay, ClosedPeriod, OutboundCounter } from './outbound-counter.js';
import type { OutboundPeriod } from './outbound-period.js';
import type { TierLimits } from './outbound-settings.js';
import type { Recipient, RecipientFacts } from './recipients.js';
import type { LoginsByAddress } from './sender-logins.js';

/** The fields of a domain that a verdict needs, with its counters. The row is locked. */
export interface LedgerDomain
  extends Pick<
    Domain,
    | 'id'
    | 'name'
    | 'partnerId'
    | 'partnerRef'
    | 'partnerStage'
    | 'suspensionCauses'
    | 'outboundTier'
    | 'outboundEnforcement'
    | 'outboundStatus'
    | 'operatorDailyLimit'
    | 'operatorMonthlyLimit'
    | 'temporaryDailyLimit'
    | 'temporaryMonthlyLimit'
    | 'temporaryLimitsUntil'
    | 'clientDailyLimit'
    | 'clientMonthlyLimit'
    | 'transferMonthlyMb'
    | 'inbound'
    | 'parentId'
    | 'inheritedUntil'
  > {
  verificationStatus: Verification['status'];
  verificationLostAt: Date | null;
  /** The configuration set of the domain's own identity at the relay provider; null when it has none. */
  configurationSet: string | null;
  /** The partner in whose tenant that identity is confirmed; null for none. */
  tenantOf: number | null;
  /** The tenant of the partner at the relay provider; null without one. */
  tenant: LedgerTenant | null;
  /** The partner has suppressions, and refuses suppressed recipients. */
  refusesSuppressed: boolean;
  counter: OutboundCounter;
}

interface LedgerTenant {
  name: string;
  /** The configuration set that is associated with it. */
  configurationSet: string | null;
  /** Since when the provider does not send mail of the tenant; null while it does. */
  pausedSince: Date | null;
}

/** Of a mailbox without a limit, or without a read receipt in the queries, the numbers that they do not need are 0. */
interface LedgerMailbox {
  dailyLimit: number;
  sentToday: number;
  /** Read receipts that left the platform. */
  receiptsToday: number;
  /** Milliseconds since the right to log in was last taken away, by the database's clock; null for never. */
  revokedForMs: number | null;
}

/** The data that the ledger must read for one item. Names and senders are in lower case. */
export interface LedgerQuery {
  domain: DomainName;
  sender: string | null;
  /** The id that the caller gave, compared byte by byte, with a prefix for its kind: `message:` or `transfer:`. */
  id: string | null;
  /** The recipients, when the caller sent them. */
  recipients?: readonly Recipient[] | null;
  /** The addresses that the message names as its senders, in lower case. */
  claims?: readonly string[];
  /** The message is a read receipt; absent: not. */
  receipt?: boolean;
}

/** What the verdict of a message follows from, without its recipients. */
export interface LedgerFacts {
  period: OutboundPeriod;
  tiers: TierLimits;
  /** The domains of the queries and of their senders, by name; an unknown domain is absent. */
  domains: Map<DomainName, LedgerDomain>;
  /** These domains and the parents of the queries' domains, by id. */
  byId: Map<number, LedgerDomain>;
  /**
   * Senders that are mailboxes, by address, with their messages of today through all domains. A limit of 0 is
   * unlimited.
   */
  mailboxes: Map<string, LedgerMailbox>;
  /** Those of all claimed addresses that are not the sender's own. */
  logins: LoginsByAddress;
}

/** The data that was read under the locks. Deciding a batch changes it. */
export interface LedgerSnapshot extends LedgerFacts {
  /** The configuration set that the last check of the account at the relay provider found; null for none. */
  foundSet: string | null;
  /** By `incrementKey`. */
  increments: Map<string, CountedIncrement>;
  /** Facts about all recipients in the queries. */
  recipients: RecipientFacts;
}

/**
 * The messages that a sender adds today to its row of a domain. A mailbox has a row for each domain through which it
 * sent, and the row of its own domain also has the sum of the others. So its daily limit is checked with one row.
 */
export interface SenderCounts {
  domainId: number;
  sender: string;
  /** Through this domain. */
  sent: number;
  /** Through other domains; 0 unless this is the domain of the sender's address. */
  sentElsewhere: number;
  /** Read receipts through all domains; 0 unless this is the domain of the sender's address. */
  receipts: number;
}

/** The rows that a batch changed. */
export interface LedgerChanges {
  counters: Set<OutboundCounter>;
  closed: ClosedPeriod[];
  /**
   * Ended days that were still in a counter. The bounce window read them from the counter, and reads them from these
   * rows after the batch.
   */
  days: ClosedDay[];
  /** By `senderKey`. */
  senders: Map<string, SenderCounts>;
  increments: Map<string, { domainId: number; id: string; counted: CountedIncrement }>;
  /** By partner and day. */
  partnerDays: Map<string, PartnerSentOnDay>;
}

/** The messages that the domains of a partner add to a day. */
interface PartnerSentOnDay {
  partnerId: number;
  day: string;
  sent: number;
}

/** Messages count for the partner as they count on its domains: on a domain, and again on its parent. */
export function addToPartner(
  days: LedgerChanges['partnerDays'],
  { partnerId, counter: { day } }: LedgerDomain,
  messages: number,
): void {
  if (messages === 0) return;
  const key = `${partnerId} ${day}`;
  const known = days.get(key);
  if (known === undefined) days.set(key, { partnerId, day, sent: messages });
  else known.sent += messages;
}

export function senderKey(domainId: number, sender: string): string {
  return `${domainId} ${sender}`;
}

/** @returns the domain of a sender's address; null when the sender is not an address */
export function senderDomain(sender: string): DomainName | null {
  const at = sender.lastIndexOf('@');
  return at < 1 || at === sender.length - 1 ? null : (sender.slice(at + 1) as DomainName);
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
 * The outbound counters. Every method but `read` runs inside a unit of work and locks in one order: first the epochs
 * (shared), then the counters by id: those of the domains, of their linked parents, and of the senders' own domains,
 * which guard the rows of their senders; last, with the statements that end the transaction, the days of partners by
 * partner and day. Every value is read after its lock, so that it is still current when the verdict is written.
 */
export abstract class OutboundLedger {
  /** Locks and reads everything that the decision of a batch needs, in a fixed number of statements. */
  abstract lockAndRead(queries: readonly LedgerQuery[], now: Date): Promise<LedgerSnapshot>;
  /**
   * Like `lockAndRead`, without locks, for previews: a missing counter reads as 0, and ids are not read. It needs no
   * unit of work.
   */
  abstract read(queries: readonly LedgerQuery[], now: Date): Promise<LedgerSnapshot>;
  /**
   * What `read` reads for messages without a login from these domains, whose rows the caller has read: only their
   * counters and what is stored about their partners. Every one of them is in the answer, with its parent.
   */
  abstract readOf(domains: readonly DomainWithParent[], now: Date): Promise<LedgerFacts>;
  /**
   * Writes the changes of a batch in a fixed number of statements and commits. It must be the last call of its unit of
   * work.
   */
  abstract writeAndCommit(changes: LedgerChanges, period: OutboundPeriod, now: Date): Promise<void>;
  /**
   * Counts bounces and complaints on a domain and its linked parent: in the current month, and on the day when each
   * message was sent, unless that day is before the domain's window. An event of a message that was sent before the row
   * of a domain existed does not count on that domain. The caller must have locked the domain, and its parent when it
   * may have to be blocked.
   * @returns the windows after the change; the window of an unknown domain is empty.
   */
  abstract countBounces(domainId: number, events: readonly SentMessageEvent[], now: Date): Promise<BounceWindow>;
  /**
   * Removes what was sent and what bounced today from the window, which restarts now. The caller has locked the domain
   * and saved `bounceWindowStart`.
   */
  abstract restartBounceWindow(domainId: number, now: Date): Promise<void>;
}
