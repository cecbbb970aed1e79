import type { DomainName } from '../domains/domain-name.js';
import { fits, type OutboundEnforcement, type OutboundLimits } from './outbound-settings.js';

export const OUTBOUND_ACTIONS = ['accept', 'defer', 'reject'] as const;
type OutboundAction = (typeof OUTBOUND_ACTIONS)[number];

/** In the order in which they are asked: the first that applies is the verdict's. */
export const OUTBOUND_REASONS = [
  'domain_suspended',
  'outbound_blocked',
  'not_verified',
  'message_exceeds_limit',
  'mailbox_limit',
  'daily_limit',
  'monthly_limit',
  'transfer_limit',
] as const;
type OutboundReason = (typeof OUTBOUND_REASONS)[number];

/** One domain that messages count on: the sending one, or its linked parent. */
export interface OutboundAccount {
  name: DomainName;
  /** The sending domain: for any cause. The parent: for abuse, which spreads to its children. */
  suspended: boolean;
  blocked: boolean;
  enforcement: OutboundEnforcement;
  limits: OutboundLimits;
  sentToday: number;
  sentThisMonth: number;
}

export interface OutboundFacts {
  /** Recipients of the message; all of them fit, or none is counted. */
  count: number;
  bytes: number;
  own: OutboundAccount;
  /** The linked parent: what is sent counts on both, and both must have room. */
  parent: OutboundAccount | null;
  /** Itself, or by its parent. */
  verified: boolean;
  /** It was verified until less than 72 h ago. */
  lostVerificationLately: boolean;
  /** The mailbox that logged in, when it is known; a limit of 0 is unlimited. */
  mailbox: { dailyLimit: number; sentToday: number } | null;
  /** Bytes; a cap of 0 is unlimited. */
  transfer: { cap: number; used: number };
}

export interface Verdict {
  allowed: boolean;
  action: OutboundAction;
  reason: OutboundReason | null;
  /** The parent, when it is what stands in the way. */
  limitedBy: DomainName | null;
}

const ACCEPTED: Verdict = { allowed: true, action: 'accept', reason: null, limitedBy: null };

/**
 * Whether a message may leave. Standing (suspended, blocked, unverified) comes before limits and is never only
 * monitored. A limit blocks when everything it involves enforces; else its reason is named and the message leaves.
 */
export function decideOutbound(facts: OutboundFacts): Verdict {
  return obstacleOfStanding(facts) ?? obstacleOfLimits(facts) ?? ACCEPTED;
}

/** Whether mail may go to a recipient on the platform: nothing leaves, so that only a suspension puts it off. */
export function decideInside({ own, parent }: Pick<OutboundFacts, 'own' | 'parent'>): Verdict {
  const suspended = [own, ...(parent === null ? [] : [parent])].find((account) => account.suspended);
  return suspended === undefined
    ? ACCEPTED
    : stopped('defer', 'domain_suspended', suspended === own ? null : suspended.name);
}

/** How many recipients more every limit that is enforced has room for; null when none is. */
export function headroomOf({ own, parent, mailbox }: OutboundFacts): number | null {
  if (own.enforcement !== 'enforce') return null;
  const room = [own, ...(parent?.enforcement === 'enforce' ? [parent] : [])].flatMap((account) => [
    leftOf(account.limits.dailyLimit, account.sentToday),
    leftOf(account.limits.monthlyLimit, account.sentThisMonth),
  ]);
  if (mailbox !== null) room.push(leftOf(mailbox.dailyLimit, mailbox.sentToday));
  const least = Math.min(...room);
  return least === Number.POSITIVE_INFINITY ? null : least;
}

/** A limit of 0 is unlimited. */
function leftOf(limit: number, used: number): number {
  return limit === 0 ? Number.POSITIVE_INFINITY : Math.max(0, limit - used);
}

function obstacleOfStanding({ own, parent, verified, lostVerificationLately }: OutboundFacts): Verdict | null {
  const accounts = parent === null ? [own] : [own, parent];
  const by = (account: OutboundAccount) => (account === own ? null : account.name);
  const suspended = accounts.find((account) => account.suspended);
  if (suspended !== undefined) return stopped('defer', 'domain_suspended', by(suspended));
  const blocked = accounts.find((account) => account.blocked);
  if (blocked !== undefined) return stopped('reject', 'outbound_blocked', by(blocked));
  if (!verified) return stopped(lostVerificationLately ? 'defer' : 'reject', 'not_verified', null);
  return null;
}

interface Hindrance {
  reason: OutboundReason;
  action: 'defer' | 'reject';
  enforced: boolean;
  limitedBy: DomainName | null;
}

function obstacleOfLimits(facts: OutboundFacts): Verdict | null {
  let watched: Hindrance | null = null;
  for (const hindrance of hindrances(facts)) {
    if (hindrance.enforced) return stopped(hindrance.action, hindrance.reason, hindrance.limitedBy);
    watched ??= hindrance;
  }
  return watched === null ? null : { ...ACCEPTED, reason: watched.reason, limitedBy: watched.limitedBy };
}

/** Every limit without room, in the order of `OUTBOUND_REASONS`, the domain's own before its parent's. */
function* hindrances({ count, bytes, own, parent, mailbox, transfer }: OutboundFacts): Generator<Hindrance> {
  const enforced = own.enforcement === 'enforce';
  const ofOwn = { account: own, enforced, limitedBy: null };
  const accounts =
    parent === null
      ? [ofOwn]
      : [ofOwn, { account: parent, enforced: enforced && parent.enforcement === 'enforce', limitedBy: parent.name }];

  if (mailbox !== null && !fits(mailbox.dailyLimit, 0, count)) {
    yield { reason: 'message_exceeds_limit', action: 'reject', enforced, limitedBy: null };
  }
  for (const { account, ...rest } of accounts) {
    const { dailyLimit, monthlyLimit } = account.limits;
    if (!fits(dailyLimit, 0, count) || !fits(monthlyLimit, 0, count)) {
      yield { reason: 'message_exceeds_limit', action: 'reject', ...rest };
    }
  }
  if (mailbox !== null && !fits(mailbox.dailyLimit, mailbox.sentToday, count)) {
    yield { reason: 'mailbox_limit', action: 'defer', enforced, limitedBy: null };
  }
  for (const { account, ...rest } of accounts) {
    if (!fits(account.limits.dailyLimit, account.sentToday, count)) {
      yield { reason: 'daily_limit', action: 'defer', ...rest };
    }
  }
  for (const { account, ...rest } of accounts) {
    if (!fits(account.limits.monthlyLimit, account.sentThisMonth, count)) {
      yield { reason: 'monthly_limit', action: 'defer', ...rest };
    }
  }
  // A caller that does not know the size sends 0 bytes: at the cap there is no room for those either.
  if (!fits(transfer.cap, transfer.used, Math.max(bytes, 1))) {
    yield { reason: 'transfer_limit', action: 'defer', enforced, limitedBy: null };
  }
}

function stopped(action: 'defer' | 'reject', reason: OutboundReason, limitedBy: DomainName | null): Verdict {
  return { allowed: false, action, reason, limitedBy };
}
