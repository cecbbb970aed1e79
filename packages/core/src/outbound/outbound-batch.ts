import { ORPHAN_GRACE_MS } from '../domains/domain.js';
import { isEffectivelyVerified } from '../relay/verification.js';
import {
  decideInside,
  decideOutbound,
  headroomOf,
  type OutboundAccount,
  type OutboundFacts,
  type Verdict,
} from './decide-outbound.js';
import { type LimitReached, limitReached } from './limit-reached.js';
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
import { effectiveLimits, enforcementOf } from './outbound-settings.js';
import { countsAs, type Recipient } from './recipients.js';
import { maySendAs } from './sender-logins.js';

/** How long mail is deferred, instead of rejected, after a verification was lost. */
const LOST_VERIFICATION_GRACE_MS = ORPHAN_GRACE_MS;
const BYTES_PER_MEGABYTE = 1_048_576;
/** The maximum bytes that one increment adds. */
const MOST_BYTES_AT_ONCE = 1_099_511_627_776;

const NO_TRANSFER: OutboundFacts['transfer'] = { cap: 0, used: 0 };

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
  /** Mail of an outside sender that an alias of the domain forwards. It is counted in a separate daily counter. */
  forwarded: boolean;
  /** The mail has been sent already: it is counted whatever the verdict. */
  alreadySent: boolean;
}

/** The numbers of an increment: `count` of all recipients, `bytes` of all copies. */
type Sent = Pick<Increment, 'domain' | 'sender' | 'forwarded' | 'count' | 'bytes' | 'recipients' | 'claims'>;

export interface TransferIncrement extends LedgerQuery {
  bytes: number;
}

/** Why an item of a batch was not counted. */
export interface Refusal {
  refused: 'domain_not_found' | 'increment_id_reused' | 'counter_overflow';
}

const OVERFLOW: Refusal = { refused: 'counter_overflow' };

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

  constructor(
    private readonly snapshot: LedgerSnapshot,
    private readonly now: Date,
  ) {}

  increment(item: Increment): OutboundAnswer | Refusal {
    const domain = this.snapshot.domains.get(item.domain);
    if (domain === undefined) return { refused: 'domain_not_found' };
    const earlier = this.earlier(domain, item.id);
    if (earlier !== undefined) return repeated(earlier, item);
    const parent = this.parentOf(domain);
    const sent = this.sent(item);
    const facts = this.facts(sent, domain, parent);
    const verdict = sent.count === 0 ? decideInside(facts, sent.forwarded) : decideOutbound(facts);
    if (facts.foreignSender !== null) {
      return Object.assign(this.answer(domain, verdict, sent), { foreignSender: facts.foreignSender });
    }
    if (sent.count === 0) return this.answer(domain, verdict, sent);
    const counted = verdict.allowed || item.alreadySent;
    if (counted && !this.hasRoom(sent, domain, parent)) return OVERFLOW;
    if (counted) this.count(sent, domain, parent);
    const answer = this.answer(domain, verdict, sent);
    if (counted && item.id !== null) {
      const { fingerprint } = item;
      this.storeIncrement(domain, item.id, { kind: 'message', count: sent.count, fingerprint, answer });
    }
    return answer;
  }

  /** @returns the verdict that an increment of 1 would get now, and the headroom: 0 without it. Counts nothing. */
  preview(item: Pick<Increment, 'domain' | 'sender' | 'forwarded'>): {
    verdict: OutboundAnswer | Refusal;
    headroom: number | null;
  } {
    const domain = this.snapshot.domains.get(item.domain);
    if (domain === undefined) return { verdict: { refused: 'domain_not_found' }, headroom: 0 };
    const one = { ...item, count: 1, bytes: 0, recipients: null, claims: [] };
    const parent = this.parentOf(domain);
    const facts = this.facts(one, domain, parent);
    const verdict = decideOutbound(facts);
    if (verdict.allowed && !this.hasRoom(one, domain, parent)) return { verdict: OVERFLOW, headroom: 0 };
    return { verdict: this.answer(domain, verdict, one), headroom: verdict.allowed ? headroomOf(facts) : 0 };
  }

  /** Counts received bytes. There is no verdict, because the mail has already arrived. */
  transfer(item: TransferIncrement): TransferAnswer | Refusal {
    const domain = this.snapshot.domains.get(item.domain);
    if (domain === undefined) return { refused: 'domain_not_found' };
    const earlier = this.earlier(domain, item.id);
    if (earlier !== undefined) {
      const isSame = earlier.kind === 'transfer' && earlier.answer.bytes === item.bytes;
      return isSame ? earlier.answer : { refused: 'increment_id_reused' };
    }
    const counted = { bytes: item.bytes };
    if (!domain.counter.hasRoomFor(this.snapshot.period, counted)) return OVERFLOW;
    this.add(domain, this.parentOf(domain), counted);
    const bytesThisMonth = domain.counter.bytesMonthIn(this.snapshot.period);
    const answer: TransferAnswer = { name: domain.name, bytes: item.bytes, bytesThisMonth };
    this.storeIncrement(domain, item.id, { kind: 'transfer', answer });
    return answer;
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
    const parent = this.parentOf(domain);
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
      verified: this.isVerified(domain, parent),
    };
    if (sent.recipients !== null) answer.count = sent.count;
    if (sent.forwarded) answer.forwardedToday = counter.forwardedTodayIn(period);
    return answer;
  }

  private isVerified(domain: LedgerDomain, parent: LedgerDomain | null): boolean {
    const parents = parent === null ? null : { status: parent.verificationStatus };
    return isEffectivelyVerified({ status: domain.verificationStatus }, parents, domain.inheritedUntil, this.now);
  }

  /**
   * Forwarded mail is not sent through the relay. It needs no verification, and the only limit it uses is the daily
   * one, with a separate counter.
   */
  private facts(item: Sent, domain: LedgerDomain, parent: LedgerDomain | null): OutboundFacts {
    const { forwarded, sender } = item;
    const verified = forwarded || this.isVerified(domain, parent);
    return {
      count: item.count,
      bytes: forwarded ? 0 : item.bytes,
      foreignSender: this.foreignSender(item),
      own: this.account(domain, parent, maySendNothing(domain), forwarded),
      parent: parent === null ? null : this.account(parent, null, parent.suspensionCauses.includes('abuse'), forwarded),
      verified,
      lostVerificationLately: !verified && (this.lostLately(domain) || (parent !== null && this.lostLately(parent))),
      mailbox: forwarded || sender === null ? null : (this.snapshot.mailboxes.get(sender) ?? null),
      transfer: forwarded
        ? NO_TRANSFER
        : {
            cap: domain.transferMonthlyMb * BYTES_PER_MEGABYTE,
            used: domain.counter.bytesMonthIn(this.snapshot.period),
          },
    };
  }

  private foreignSender({ sender, claims }: Sent): string | null {
    return claims.find((claim) => sender === null || !this.maySendAs(sender, claim)) ?? null;
  }

  /** No alias can have the address of a mailbox, so the mailbox decides about its own address. */
  private maySendAs(sender: string, claim: string): boolean {
    if (claim !== sender) return maySendAs(sender, claim, this.snapshot.logins);
    const name = senderDomain(sender);
    const isOpen = name !== null && this.snapshot.domains.get(name)?.inbound === 'open';
    return isOpen && this.snapshot.mailboxes.has(sender);
  }

  private account(
    domain: LedgerDomain,
    parent: LedgerDomain | null,
    suspended: boolean,
    forwarded: boolean,
  ): OutboundAccount {
    const { counter } = domain;
    const { period } = this.snapshot;
    const limits = effectiveLimits(domain, parent, this.snapshot.tiers, this.now);
    const enforcement = enforcementOf(domain, parent);
    return {
      name: domain.name,
      suspended,
      blocked: domain.outboundStatus === 'blocked',
      enforcement,
      limits: forwarded ? { dailyLimit: limits.dailyLimit, monthlyLimit: 0 } : limits,
      sentToday: forwarded ? counter.forwardedTodayIn(period) : counter.sentTodayIn(period),
      sentThisMonth: counter.sentMonthIn(period),
    };
  }

  private lostLately({ verificationLostAt }: LedgerDomain): boolean {
    return (
      verificationLostAt !== null && this.now.getTime() < verificationLostAt.getTime() + LOST_VERIFICATION_GRACE_MS
    );
  }

  /** Bytes do not count on the parent. */
  private hasRoom({ forwarded, count, bytes }: Sent, { counter }: LedgerDomain, parent: LedgerDomain | null): boolean {
    const { period } = this.snapshot;
    if (forwarded) {
      return counter.hasRoomToForward(period, count) && parent?.counter.hasRoomToForward(period, count) !== false;
    }
    if (!counter.hasRoomFor(period, { messages: count, bytes })) return false;
    return parent?.counter.hasRoomFor(period, { messages: count }) !== false;
  }

  private count(item: Sent, domain: LedgerDomain, parent: LedgerDomain | null): void {
    if (item.forwarded) {
      for (const account of parent === null ? [domain] : [domain, parent]) this.forward(account, item.count);
      return;
    }
    this.relayed += item.count;
    this.add(domain, parent, { messages: item.count, bytes: item.bytes });
    if (parent !== null) this.add(parent, null, { messages: item.count });
    if (item.sender !== null) this.countSender(item.sender, domain, item.count);
  }

  private countSender(sender: string, domain: LedgerDomain, messages: number): void {
    const mailbox = this.snapshot.mailboxes.get(sender);
    if (mailbox !== undefined) mailbox.sentToday += messages;
    this.senderCounts(domain.id, sender).sent += messages;
    const name = senderDomain(sender);
    const own = name === null || name === domain.name ? undefined : this.snapshot.domains.get(name);
    if (own !== undefined) this.senderCounts(own.id, sender).sentElsewhere += messages;
  }

  private senderCounts(domainId: number, sender: string): SenderCounts {
    const key = senderKey(domainId, sender);
    const known = this.changes.senders.get(key);
    if (known !== undefined) return known;
    const counts: SenderCounts = { domainId, sender, sent: 0, sentElsewhere: 0 };
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

  private parentOf({ parentId }: LedgerDomain): LedgerDomain | null {
    return parentId === null ? null : (this.snapshot.byId.get(parentId) ?? null);
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

/** Whether a suspension of the domain, or of its partner in any stage, stops all mail that it sends. */
function maySendNothing({ suspensionCauses, partnerStage }: LedgerDomain): boolean {
  return suspensionCauses.length > 0 || partnerStage !== null;
}
