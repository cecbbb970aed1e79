import { decideInside, decideOutbound, headroomOf, SESSION_ENDED, type Verdict } from './decide-outbound.js';
import { type LimitReached, limitReached } from './limit-reached.js';
import type { OpenSession } from './open-session.js';
import type { CountedIncrement, OutboundAnswer, TransferAnswer } from './outbound-answer.js';
import type { Counted } from './outbound-counter.js';
import {
  addToPartner,
  incrementKey,
  type LedgerChanges,
  type LedgerDomain,
  type LedgerQuery,
  type LedgerSnapshot,
  type SenderCounts,
  senderDomain,
  senderKey,
} from './outbound-ledger.js';
import { effectiveLimits } from './outbound-settings.js';
import { countsAs, type Recipient } from './recipients.js';
import { type Asked, BYTES_PER_MEGABYTE, oneRecipient, type Sent, SnapshotFacts } from './snapshot-facts.js';

/** The maximum bytes that one increment adds. */
const MOST_BYTES_AT_ONCE = 1_099_511_627_776;

export interface Increment extends LedgerQuery {
  /** Outside recipients. With `recipients`, the message counts as at least this many. */
  count: number;
  /** Bytes of all copies together; with `recipients`, bytes of one copy. */
  bytes: number;
  /** When given, the message counts as the sum of `countsAs` over these recipients. */
  recipients: readonly Recipient[] | null;
  claims: readonly string[];
  /**
   * Identifies the content of an increment with recipients or claims: the same id with another fingerprint is refused.
   * 32 hexadecimal digits; null for a plain increment.
   */
  fingerprint: string | null;
  /** Null for mail without a login, and when the age of its session is not known: then no session has ended. */
  session: OpenSession | null;
  /** Mail of an outside sender that an alias of the domain forwards. It is counted in a separate daily counter. */
  forwarded: boolean;
  /** The mail has been sent already: it is counted whatever the verdict. */
  alreadySent: boolean;
}

export interface TransferIncrement extends LedgerQuery {
  bytes: number;
  /** `in`: received mail. `out`: mail that was read. */
  direction: 'in' | 'out';
}

/** Why an item of a batch was not counted. */
export interface Refusal {
  refused: 'domain_not_found' | 'increment_id_reused' | 'counter_overflow' | 'restore_not_accepted';
}

/** The answer to every message while the restored database is not accepted: it is deferred, and nothing is counted. */
export const NOT_ACCEPTED: Refusal = { refused: 'restore_not_accepted' };
export const OVERFLOW: Refusal = { refused: 'counter_overflow' };

/**
 * Decides the increments of one batch in order, each with the counters that the earlier ones changed, and collects the
 * changes to write. It does no I/O: the ledger reads the snapshot before and writes the changes after.
 */
export class OutboundBatch {
  readonly changes: LedgerChanges = {
    counters: new Set(),
    closed: [],
    days: [],
    senders: new Map(),
    increments: new Map(),
    partnerDays: new Map(),
  };
  /** Limits whose 80 % or 100 % threshold this batch reached, each once. */
  readonly reached: LimitReached[] = [];
  /** The messages that this batch counted and that leave by the relay. */
  relayed = 0;
  private readonly facts: SnapshotFacts;

  constructor(
    private readonly snapshot: LedgerSnapshot,
    private readonly now: Date,
  ) {
    this.facts = new SnapshotFacts(snapshot, now);
  }

  increment(item: Increment): OutboundAnswer | Refusal {
    const domain = this.snapshot.domains.get(item.domain);
    if (domain === undefined) return { refused: 'domain_not_found' };
    const earlier = this.earlier(domain, item.id);
    // The mail server repeats an id, or another message takes its count over: neither is sent by an ended session.
    if (earlier !== undefined && !this.facts.hasEnded(item)) return repeated(earlier, item);
    const parent = this.facts.parentOf(domain);
    const sent = this.sent(item);
    if (earlier !== undefined) return this.answer(domain, SESSION_ENDED, sent);
    const facts = this.facts.of(sent, domain, parent);
    const verdict = sent.count === 0 ? decideInside(facts, sent.forwarded) : decideOutbound(facts);
    if (facts.foreignSender !== null) {
      return Object.assign(this.answer(domain, verdict, sent), { foreignSender: facts.foreignSender });
    }
    if (sent.count === 0) return this.answer(domain, verdict, sent);
    const counted = verdict.allowed || item.alreadySent;
    if (counted && !this.facts.hasRoom(sent, domain, parent)) return OVERFLOW;
    if (counted) this.count(sent, domain, parent);
    const answer = this.answer(domain, verdict, sent);
    if (counted && item.id !== null) {
      const { fingerprint } = item;
      this.storeIncrement(domain, item.id, { kind: 'message', count: sent.count, fingerprint, answer });
    }
    return answer;
  }

  /**
   * Counts nothing.
   *
   * @param recipientSuppressed whether the domain refuses the recipient, which does not end the headroom for others
   * @returns the verdict that an increment of 1 would get now, and the headroom: 0 when no recipient would be accepted
   */
  preview(
    item: Asked,
    recipientSuppressed: boolean,
  ): {
    verdict: OutboundAnswer | Refusal;
    headroom: number | null;
  } {
    const domain = this.snapshot.domains.get(item.domain);
    if (domain === undefined) return { verdict: { refused: 'domain_not_found' }, headroom: 0 };
    const { one, facts, verdict: ofOthers, hasRoom, headroom } = this.oneMore(item, domain);
    if (ofOthers.allowed && !hasRoom) return { verdict: OVERFLOW, headroom };
    const verdict = recipientSuppressed ? decideOutbound({ ...facts, recipientSuppressed }) : ofOthers;
    return { verdict: this.answer(domain, verdict, one), headroom };
  }

  /** @returns the headroom that a preview for the sender of this item has now, after the item was decided. */
  headroom(item: Asked): number | null {
    const domain = this.snapshot.domains.get(item.domain);
    return domain === undefined ? 0 : this.oneMore(item, domain).headroom;
  }

  /** Counts received or read bytes. There is no verdict, because they have moved already. */
  transfer(item: TransferIncrement): TransferAnswer | Refusal {
    const domain = this.snapshot.domains.get(item.domain);
    if (domain === undefined) return { refused: 'domain_not_found' };
    const earlier = this.earlier(domain, item.id);
    if (earlier !== undefined) {
      const isSame = earlier.kind === 'transfer' && earlier.answer.bytes === item.bytes;
      return isSame ? earlier.answer : { refused: 'increment_id_reused' };
    }
    const counted = { bytes: item.bytes, bytesIn: item.direction === 'in' ? item.bytes : 0 };
    if (!domain.counter.hasRoomFor(this.snapshot.period, counted)) return OVERFLOW;
    this.add(domain, this.facts.parentOf(domain), counted);
    const bytesThisMonth = domain.counter.bytesMonthIn(this.snapshot.period);
    const answer: TransferAnswer = { name: domain.name, bytes: item.bytes, bytesThisMonth };
    this.storeIncrement(domain, item.id, { kind: 'transfer', answer });
    return answer;
  }

  /** Decides about one more recipient. */
  private oneMore(item: Asked, domain: LedgerDomain) {
    const one = oneRecipient(item);
    const parent = this.facts.parentOf(domain);
    const facts = this.facts.of(one, domain, parent);
    const verdict = decideOutbound(facts);
    const hasRoom = this.facts.hasRoom(one, domain, parent);
    return { one, facts, verdict, hasRoom, headroom: verdict.allowed && hasRoom ? headroomOf(facts) : 0 };
  }

  private sent(item: Increment): Sent {
    const { recipients, count, bytes } = item;
    if (recipients === null) return item;
    const known = recipients.reduce((sum, recipient) => sum + countsAs(recipient, this.snapshot.recipients), 0);
    const most = Math.max(count, known);
    return { ...item, count: most, bytes: Math.min(bytes * most, MOST_BYTES_AT_ONCE) };
  }

  // Without object spreads: this runs for every message, and V8 copies objects of mixed shapes slowly.
  private answer(domain: LedgerDomain, verdict: Verdict, sent: Sent): OutboundAnswer {
    const { counter } = domain;
    const { period, tiers } = this.snapshot;
    const parent = this.facts.parentOf(domain);
    const limits = effectiveLimits(domain, parent, tiers, this.now);
    const answer: OutboundAnswer = {
      name: domain.name,
      allowed: verdict.allowed,
      action: verdict.action,
      reason: verdict.reason,
      limitedBy: verdict.limitedBy,
      sentToday: counter.sentTodayIn(period),
      sentThisMonth: counter.sentMonthIn(period),
      dailyLimit: limits.dailyLimit,
      monthlyLimit: limits.monthlyLimit,
      outboundStatus: domain.outboundStatus,
      verified: this.facts.isVerified(domain, parent),
    };
    if (sent.recipients !== null) answer.count = sent.count;
    if (sent.forwarded) answer.forwardedToday = counter.forwardedTodayIn(period);
    return answer;
  }

  private count(item: Sent, domain: LedgerDomain, parent: LedgerDomain | null): void {
    if (item.forwarded) {
      for (const account of parent === null ? [domain] : [domain, parent]) this.forward(account, item.count);
      return;
    }
    this.relayed += item.count;
    this.add(domain, parent, { messages: item.count, bytes: item.bytes });
    if (parent !== null) this.add(parent, null, { messages: item.count });
    if (item.sender !== null) this.countSender(item.sender, domain, item);
  }

  private countSender(sender: string, domain: LedgerDomain, { count: messages, receipt }: Sent): void {
    const receipts = receipt === true ? 1 : 0;
    const mailbox = this.snapshot.mailboxes.get(sender);
    if (mailbox !== undefined) {
      mailbox.sentToday += messages;
      mailbox.receiptsToday += receipts;
    }
    this.senderCounts(domain.id, sender).sent += messages;
    const name = senderDomain(sender);
    const own = name === null ? undefined : this.snapshot.domains.get(name);
    if (own === undefined) return;
    const counts = this.senderCounts(own.id, sender);
    if (own !== domain) counts.sentElsewhere += messages;
    counts.receipts += receipts;
  }

  private senderCounts(domainId: number, sender: string): SenderCounts {
    const key = senderKey(domainId, sender);
    const known = this.changes.senders.get(key);
    if (known !== undefined) return known;
    const counts: SenderCounts = { domainId, sender, sent: 0, sentElsewhere: 0, receipts: 0 };
    this.changes.senders.set(key, counts);
    return counts;
  }

  private forward({ counter }: LedgerDomain, messages: number): void {
    this.changes.days.push(...counter.countForwarded(this.snapshot.period, messages).days);
    this.changes.counters.add(counter);
  }

  private add(domain: LedgerDomain, parent: LedgerDomain | null, counted: Counted): void {
    const { counter } = domain;
    const { period, tiers } = this.snapshot;
    const before = usage(domain, period);
    const closed = counter.count(period, counted);
    if (closed.period !== null) this.changes.closed.push(closed.period);
    this.changes.days.push(...closed.days);
    addToPartner(this.changes.partnerDays, domain, counted.messages ?? 0);
    this.changes.counters.add(counter);
    const limits = effectiveLimits(domain, parent, tiers, this.now);
    const transfer = domain.transferMonthlyMb * BYTES_PER_MEGABYTE;
    this.reached.push(...limitReached(domain, { ...limits, transfer }, before, usage(domain, period)));
  }

  private earlier(domain: LedgerDomain, id: string | null): CountedIncrement | undefined {
    return id === null ? undefined : this.snapshot.increments.get(incrementKey(domain.id, id));
  }

  /** Adds the id to the snapshot too, so that an id used twice inside one batch is treated as a repeat. */
  private storeIncrement(domain: LedgerDomain, id: string | null, counted: CountedIncrement): void {
    if (id === null) return;
    const key = incrementKey(domain.id, id);
    this.snapshot.increments.set(key, counted);
    this.changes.increments.set(key, { counted, domainId: domain.id, id });
  }
}

/**
 * The number that recipients count as may have changed since. For increments with recipients only the fingerprint is
 * therefore compared.
 */
function repeated(earlier: CountedIncrement, item: Increment): OutboundAnswer | Refusal {
  const isSame =
    earlier.kind === 'message' &&
    earlier.fingerprint === item.fingerprint &&
    (item.recipients !== null || earlier.count === item.count);
  return isSame ? earlier.answer : { refused: 'increment_id_reused' };
}

function usage({ counter }: LedgerDomain, period: LedgerSnapshot['period']) {
  return {
    daily: counter.sentTodayIn(period),
    monthly: counter.sentMonthIn(period),
    transfer: counter.bytesMonthIn(period),
  };
}
