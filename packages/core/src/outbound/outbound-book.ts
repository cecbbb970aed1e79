import { ORPHAN_GRACE_MS } from '../domains/domain.js';
import type { DomainName } from '../domains/domain-name.js';
import { isEffectivelyVerified } from '../relay/verification.js';
import { decideOutbound, type OutboundAccount, type OutboundFacts, type Verdict } from './decide-outbound.js';
import { type LimitReached, limitReached } from './limit-reached.js';
import type { Counted } from './outbound-counter.js';
import {
  incrementKey,
  type LedgerChanges,
  type LedgerDomain,
  type LedgerPage,
  type LedgerQuery,
  senderKey,
} from './outbound-ledger.js';
import { effectiveLimits, type OutboundEnforcement, type OutboundStatus } from './outbound-settings.js';

/** How long a lost verification defers mail instead of rejecting it. */
const LOST_VERIFICATION_GRACE_MS = ORPHAN_GRACE_MS;
const BYTES_PER_MEGABYTE = 1_048_576;

export interface Increment extends LedgerQuery {
  count: number;
  bytes: number;
  /** Counts whatever the verdict: the mail has left already. */
  record: boolean;
}

/** A verdict with the numbers of the domain after it. */
export interface OutboundAnswer extends Verdict {
  name: DomainName;
  sentToday: number;
  sentThisMonth: number;
  dailyLimit: number;
  monthlyLimit: number;
  outboundStatus: OutboundStatus;
  verified: boolean;
}

export interface TransferIncrement extends LedgerQuery {
  bytes: number;
}

export interface TransferAnswer {
  name: DomainName;
  bytes: number;
  bytesThisMonth: number;
}

/** Why an item of a batch has no answer of its own. */
export interface Refusal {
  refused: 'domain_not_found' | 'increment_id_reused';
}

/**
 * One batch in the making: takes increments in order, each decided on the counters as the ones before it left them, and
 * gathers what has to be written. Pure: the ledger reads the page before and writes the changes after.
 */
export class OutboundBook {
  readonly changes: LedgerChanges = {
    counters: new Set(),
    closed: [],
    days: [],
    senders: new Map(),
    increments: new Map(),
  };
  /** Limits that were crossed upwards, each crossing once. */
  readonly reached: LimitReached[] = [];

  constructor(
    private readonly page: LedgerPage,
    private readonly now: Date,
  ) {}

  increment(item: Increment): OutboundAnswer | Refusal {
    const domain = this.page.domains.get(item.domain);
    if (domain === undefined) return { refused: 'domain_not_found' };
    const earlier = this.earlier(domain, item.id);
    if (earlier !== undefined) {
      return earlier.count === item.count
        ? (earlier.answer as unknown as OutboundAnswer)
        : { refused: 'increment_id_reused' };
    }
    const parent = this.parentOf(domain);
    const facts = this.facts(item, domain, parent);
    const verdict = decideOutbound(facts);
    const counted = verdict.allowed || item.record;
    if (counted) this.count(item, domain, parent);
    const answer = this.answer(domain, facts, verdict);
    if (counted) this.remember(domain, item.id, item.count, answer);
    return answer;
  }

  /** What an increment would be answered now. Nothing is counted. */
  look(item: Increment): OutboundAnswer | Refusal {
    const domain = this.page.domains.get(item.domain);
    if (domain === undefined) return { refused: 'domain_not_found' };
    const facts = this.facts(item, domain, this.parentOf(domain));
    return this.answer(domain, facts, decideOutbound(facts));
  }

  /** Meters bytes that were received. Nothing is decided: they have come already. */
  transfer(item: TransferIncrement): TransferAnswer | Refusal {
    const domain = this.page.domains.get(item.domain);
    if (domain === undefined) return { refused: 'domain_not_found' };
    const earlier = this.earlier(domain, item.id);
    if (earlier !== undefined) {
      return earlier.answer.bytes === item.bytes
        ? (earlier.answer as unknown as TransferAnswer)
        : { refused: 'increment_id_reused' };
    }
    this.add(domain, this.parentOf(domain), { bytes: item.bytes });
    const bytesThisMonth = domain.counter.bytesMonthIn(this.page.period);
    const answer: TransferAnswer = { name: domain.name, bytes: item.bytes, bytesThisMonth };
    this.remember(domain, item.id, 0, answer);
    return answer;
  }

  private answer(domain: LedgerDomain, facts: OutboundFacts, verdict: Verdict): OutboundAnswer {
    return {
      name: domain.name,
      ...verdict,
      sentToday: domain.counter.sentTodayIn(this.page.period),
      sentThisMonth: domain.counter.sentMonthIn(this.page.period),
      ...facts.own.limits,
      outboundStatus: domain.outboundStatus,
      verified: facts.verified,
    };
  }

  private facts(item: Increment, domain: LedgerDomain, parent: LedgerDomain | null): OutboundFacts {
    const own = { status: domain.verificationStatus };
    const parents = parent === null ? null : { status: parent.verificationStatus };
    const verified = isEffectivelyVerified(own, parents, domain.inheritedUntil, this.now);
    return {
      count: item.count,
      bytes: item.bytes,
      own: this.account(domain, parent, domain.suspensionCauses.length > 0),
      parent: parent === null ? null : this.account(parent, null, parent.suspensionCauses.includes('abuse')),
      verified,
      lostVerificationLately: !verified && (this.lostLately(domain) || (parent !== null && this.lostLately(parent))),
      mailbox: item.sender === null ? null : (this.page.mailboxes.get(senderKey(domain.id, item.sender)) ?? null),
      transfer: {
        cap: domain.transferMonthlyMb * BYTES_PER_MEGABYTE,
        used: domain.counter.bytesMonthIn(this.page.period),
      },
    };
  }

  private account(domain: LedgerDomain, parent: LedgerDomain | null, suspended: boolean): OutboundAccount {
    const enforcement: OutboundEnforcement = domain.outboundEnforcement ?? parent?.outboundEnforcement ?? 'enforce';
    return {
      name: domain.name,
      suspended,
      blocked: domain.outboundStatus === 'blocked',
      enforcement,
      limits: effectiveLimits(domain, parent, this.page.tiers),
      sentToday: domain.counter.sentTodayIn(this.page.period),
      sentThisMonth: domain.counter.sentMonthIn(this.page.period),
    };
  }

  private lostLately({ verificationLostAt }: LedgerDomain): boolean {
    return (
      verificationLostAt !== null && this.now.getTime() < verificationLostAt.getTime() + LOST_VERIFICATION_GRACE_MS
    );
  }

  private count(item: Increment, domain: LedgerDomain, parent: LedgerDomain | null): void {
    this.add(domain, parent, { messages: item.count, bytes: item.bytes });
    if (parent !== null) this.add(parent, null, { messages: item.count });
    if (item.sender === null) return;
    const key = senderKey(domain.id, item.sender);
    const mailbox = this.page.mailboxes.get(key);
    if (mailbox !== undefined) mailbox.sentToday += item.count;
    const row = this.changes.senders.get(key);
    if (row === undefined) {
      this.changes.senders.set(key, { domainId: domain.id, sender: item.sender, sent: item.count });
    } else row.sent += item.count;
  }

  private add(domain: LedgerDomain, parent: LedgerDomain | null, counted: Counted): void {
    const { counter } = domain;
    const { period, tiers } = this.page;
    const before = usage(domain, period);
    const closed = counter.count(period, counted);
    if (closed.period !== null) this.changes.closed.push(closed.period);
    if (closed.day !== null) this.changes.days.push(closed.day);
    this.changes.counters.add(counter);
    const limits = effectiveLimits(domain, parent, tiers);
    const transfer = domain.transferMonthlyMb * BYTES_PER_MEGABYTE;
    this.reached.push(...limitReached(domain, { ...limits, transfer }, before, usage(domain, period)));
  }

  private parentOf({ parentId }: LedgerDomain): LedgerDomain | null {
    return parentId === null ? null : (this.page.byId.get(parentId) ?? null);
  }

  private earlier(
    domain: LedgerDomain,
    id: string | null,
  ): { count: number; answer: Record<string, unknown> } | undefined {
    return id === null ? undefined : this.page.increments.get(incrementKey(domain.id, id));
  }

  /** Also on the page, so that an id used twice inside one batch is a repeat. */
  private remember(domain: LedgerDomain, id: string | null, count: number, answer: object): void {
    if (id === null) return;
    const key = incrementKey(domain.id, id);
    const counted = { count, answer: { ...answer } };
    this.page.increments.set(key, counted);
    this.changes.increments.set(key, { ...counted, domainId: domain.id, id });
  }
}

function usage({ counter }: LedgerDomain, period: LedgerPage['period']) {
  return {
    daily: counter.sentTodayIn(period),
    monthly: counter.sentMonthIn(period),
    transfer: counter.bytesMonthIn(period),
  };
}
