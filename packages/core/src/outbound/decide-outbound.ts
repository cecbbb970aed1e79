import type { DomainName } from '../domains/domain-name.js';
import { fits, type OutboundEnforcement, type OutboundLimits } from './outbound-settings.js';

export const OUTBOUND_ACTIONS = ['accept', 'defer', 'reject'] as const;
type OutboundAction = (typeof OUTBOUND_ACTIONS)[number];

/** In order of precedence: the verdict names the first that applies. */
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
  /** The sending domain: suspended for any cause. The parent: for abuse, which also stops its children. */
  suspended: boolean;
  blocked: boolean;
  enforcement: OutboundEnforcement;
  limits: OutboundLimits;
  sentToday: number;
  sentThisMonth: number;
}

export interface OutboundFacts {
  /** Recipients of the message. All of them fit the limits, or none is counted. */
  count: number;
  bytes: number;
  own: OutboundAccount;
  /** The linked parent. A message counts on both, and must fit the limits of both. */
  parent: OutboundAccount | null;
  /** By its own verification or its parent's. */
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
  /** The parent, when the reason is the parent's; null when it is the domain's own. */
  limitedBy: DomainName | null;
}

const ACCEPTED: Verdict = { allowed: true, action: 'accept', reason: null, limitedBy: null };

/**
 * Whether a message may leave. The state of the domain (suspended, blocked, unverified) comes before limits and is always
 * enforced. A limit stops a message when the domain, and for a parent's limit the parent too, enforces; otherwise the verdict
 * accepts and names the limit as its reason.
 */
export function decideOutbound(facts: OutboundFacts): Verdict {
  return verdictOfState(facts) ?? verdictOfLimits(facts) ?? ACCEPTED;
}

/** Whether mail may go to a recipient on the platform. Nothing leaves the platform, so only a suspension defers it. */
export function decideInside({ own, parent }: Pick<OutboundFacts, 'own' | 'parent'>): Verdict {
  const suspended = [own, ...(parent === null ? [] : [parent])].find((account) => account.suspended);
  return suspended === undefined
    ? ACCEPTED
    : stopped('defer', 'domain_suspended', suspended === own ? null : suspended.name);
}

/** How many more recipients every enforced limit allows; null when no limit is enforced. */
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

function verdictOfState({ own, parent, verified, lostVerificationLately }: OutboundFacts): Verdict | null {
  const accounts = parent === null ? [own] : [own, parent];
  const by = (account: OutboundAccount) => (account === own ? null : account.name);
  const suspended = accounts.find((account) => account.suspended);
  if (suspended !== undefined) return stopped('defer', 'domain_suspended', by(suspended));
  const blocked = accounts.find((account) => account.blocked);
  if (blocked !== undefined) return stopped('reject', 'outbound_blocked', by(blocked));
  if (!verified) return stopped(lostVerificationLately ? 'defer' : 'reject', 'not_verified', null);
  return null;
}

interface ExceededLimit {
  reason: OutboundReason;
  action: 'defer' | 'reject';
  enforced: boolean;
  limitedBy: DomainName | null;
}

function verdictOfLimits(facts: OutboundFacts): Verdict | null {
  let monitored: ExceededLimit | null = null;
  for (const exceeded of exceededLimits(facts)) {
    if (exceeded.enforced) return stopped(exceeded.action, exceeded.reason, exceeded.limitedBy);
    monitored ??= exceeded;
  }
  return monitored === null ? null : { ...ACCEPTED, reason: monitored.reason, limitedBy: monitored.limitedBy };
}

/** Every limit that the message exceeds, in the order of `OUTBOUND_REASONS`, the domain's own before its parent's. */
function* exceededLimits({ count, bytes, own, parent, mailbox, transfer }: OutboundFacts): Generator<ExceededLimit> {
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
  // A caller that does not know the size sends 0 bytes. At the cap those are refused too.
  if (!fits(transfer.cap, transfer.used, Math.max(bytes, 1))) {
    yield { reason: 'transfer_limit', action: 'defer', enforced, limitedBy: null };
  }
}

function stopped(action: 'defer' | 'reject', reason: OutboundReason, limitedBy: DomainName | null): Verdict {
  return { allowed: false, action, reason, limitedBy };
}
