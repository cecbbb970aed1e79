import type { DomainName } from '../domains/domain-name.js';
import { fits, type OutboundEnforcement, type OutboundLimits } from './outbound-settings.js';
import { READ_RECEIPTS_A_DAY } from './read-receipt.js';

export const OUTBOUND_ACTIONS = ['accept', 'defer', 'reject'] as const;
type OutboundAction = (typeof OUTBOUND_ACTIONS)[number];

/**
 * In order of precedence: the verdict names the first reason that applies. Before all of them comes
 * `restore_not_accepted`, which is decided without looking at the domain.
 */
export const OUTBOUND_REASONS = [
  'sender_not_allowed',
  'session_ended',
  'domain_suspended',
  'outbound_blocked',
  'relay_paused',
  'not_verified',
  'recipient_suppressed',
  'message_exceeds_limit',
  'mailbox_limit',
  'daily_limit',
  'monthly_limit',
  'transfer_limit',
] as const;
export type OutboundReason = (typeof OUTBOUND_REASONS)[number];

/** The reasons that a domain has whatever the recipient and the session. */
export const DOMAIN_REASONS = OUTBOUND_REASONS.filter(
  (reason) => reason !== 'recipient_suppressed' && reason !== 'session_ended',
);

/** A domain on which messages are counted: the sending domain, or its linked parent. */
export interface OutboundAccount {
  name: DomainName;
  /**
   * The sending domain: suspended for any cause, or its partner in any stage. The parent: suspended for abuse, which
   * stops its children too.
   */
  suspended: boolean;
  blocked: boolean;
  enforcement: OutboundEnforcement;
  limits: OutboundLimits;
  sentToday: number;
  sentThisMonth: number;
}

export interface OutboundFacts {
  /** The outside recipients of the message. Either all of them are counted or none. */
  count: number;
  bytes: number;
  /** An address that the message names as its sender and that the login may not use; null without one. */
  foreignSender: string | null;
  /** The session began before its login was taken away: its mailbox is gone, or its password is another one. */
  sessionEnded: boolean;
  own: OutboundAccount;
  /** The linked parent. A message is counted on both domains, and must fit the limits of both. */
  parent: OutboundAccount | null;
  /** The relay provider does not send mail of the partner now. */
  relayPaused: boolean;
  /** By the domain's own verification or by that of its parent. */
  verified: boolean;
  /** The domain lost its verification less than 72 h ago. */
  lostVerificationLately: boolean;
  /** Of a preview: the recipient is suppressed, and the partner refuses such recipients. */
  recipientSuppressed: boolean;
  /** The mailbox that logged in; null when not known. A limit of 0 is unlimited. */
  mailbox: { dailyLimit: number; sentToday: number } | null;
  /** Of a read receipt: how many left the platform today for its mailbox. Null for every other message. */
  receiptsToday: number | null;
  /** Bytes; a cap of 0 is unlimited. */
  transfer: { cap: number; used: number };
}

export interface Verdict {
  allowed: boolean;
  action: OutboundAction;
  reason: OutboundReason | null;
  /** The parent when the reason comes from the parent; null when it comes from the domain itself. */
  limitedBy: DomainName | null;
}

const ACCEPTED: Verdict = { allowed: true, action: 'accept', reason: null, limitedBy: null };
/** The sender logs in again, and then sends. */
export const SESSION_ENDED: Verdict = { allowed: false, action: 'defer', reason: 'session_ended', limitedBy: null };

/** A reason that holds for a message, whether or not it stops the message. */
export interface OutboundStop {
  reason: OutboundReason;
  action: 'defer' | 'reject';
  /** False for a limit that is only monitored: it is named and stops nothing. */
  enforced: boolean;
  /** The parent when the reason comes from the parent; null when it comes from the domain itself. */
  limitedBy: DomainName | null;
}

/**
 * Decides whether a message may be sent. A sender address that the login may not use is always refused. The state of
 * the domain (suspended, blocked, paused, unverified) is checked before the limits and is always enforced. An exceeded
 * limit stops a message when the domain's limits are enforced, and, for a limit of the parent, when the parent's are
 * enforced too. Otherwise the verdict accepts the message and names the limit as its reason. The limits of read
 * receipts are always enforced.
 */
export function decideOutbound(facts: OutboundFacts): Verdict {
  let monitored: OutboundStop | null = null;
  for (const stop of stopsOf(facts)) {
    if (stop.enforced) return stopped(stop.action, stop.reason, stop.limitedBy);
    monitored ??= stop;
  }
  return monitored === null ? ACCEPTED : { ...ACCEPTED, reason: monitored.reason, limitedBy: monitored.limitedBy };
}

/**
 * All reasons that hold for the message, in the order of `OUTBOUND_REASONS`; those of the domain before those of its
 * parent. The verdict is made of the first one that is enforced.
 */
export function* stopsOf(facts: OutboundFacts): Generator<OutboundStop> {
  yield* stateStops(facts);
  yield* exceededLimits(facts);
}

/**
 * Decides about mail to recipients on the platform only. Such mail stays on the platform, so of the domain's state
 * only a suspension defers it, and the end of the session. A stranger's mail (`forwarded`) of which nothing leaves
 * needs no permission to send at all.
 */
export function decideInside({ foreignSender, sessionEnded, own, parent }: OutboundFacts, forwarded: boolean): Verdict {
  if (foreignSender !== null) return stopped('reject', 'sender_not_allowed', null);
  if (forwarded) return ACCEPTED;
  if (sessionEnded) return SESSION_ENDED;
  const suspended = [own, ...(parent === null ? [] : [parent])].find((account) => account.suspended);
  return suspended === undefined
    ? ACCEPTED
    : stopped('defer', 'domain_suspended', suspended === own ? null : suspended.name);
}

/** @returns how many more outside recipients all enforced limits allow; null when no limit is enforced. */
export function headroomOf({ own, parent, mailbox }: OutboundFacts): number | null {
  if (own.enforcement !== 'enforce') return null;
  const remaining = [own, ...(parent?.enforcement === 'enforce' ? [parent] : [])].flatMap((account) => [
    leftOf(account.limits.dailyLimit, account.sentToday),
    leftOf(account.limits.monthlyLimit, account.sentThisMonth),
  ]);
  if (mailbox !== null) remaining.push(leftOf(mailbox.dailyLimit, mailbox.sentToday));
  const least = Math.min(...remaining);
  return least === Number.POSITIVE_INFINITY ? null : least;
}

/** A limit of 0 is unlimited. */
function leftOf(limit: number, used: number): number {
  return limit === 0 ? Number.POSITIVE_INFINITY : Math.max(0, limit - used);
}

function* stateStops({
  foreignSender,
  sessionEnded,
  own,
  parent,
  relayPaused,
  verified,
  lostVerificationLately,
  recipientSuppressed,
}: OutboundFacts): Generator<OutboundStop> {
  if (foreignSender !== null) yield ofState('reject', 'sender_not_allowed', null);
  if (sessionEnded) yield ofState('defer', 'session_ended', null);
  const accounts = parent === null ? [own] : [own, parent];
  const by = (account: OutboundAccount) => (account === own ? null : account.name);
  for (const account of accounts) if (account.suspended) yield ofState('defer', 'domain_suspended', by(account));
  for (const account of accounts) if (account.blocked) yield ofState('reject', 'outbound_blocked', by(account));
  if (relayPaused) yield ofState('defer', 'relay_paused', null);
  if (!verified) yield ofState(lostVerificationLately ? 'defer' : 'reject', 'not_verified', null);
  if (recipientSuppressed) yield ofState('reject', 'recipient_suppressed', null);
}

function ofState(action: 'defer' | 'reject', reason: OutboundReason, limitedBy: DomainName | null): OutboundStop {
  return { reason, action, enforced: true, limitedBy };
}

function* exceededLimits({
  count,
  bytes,
  own,
  parent,
  mailbox,
  receiptsToday,
  transfer,
}: OutboundFacts): Generator<OutboundStop> {
  const enforced = own.enforcement === 'enforce';
  const ofOwn = { account: own, enforced, limitedBy: null };
  const accounts =
    parent === null
      ? [ofOwn]
      : [ofOwn, { account: parent, enforced: enforced && parent.enforcement === 'enforce', limitedBy: parent.name }];

  if (receiptsToday !== null && count > 1) yield ofState('reject', 'message_exceeds_limit', null);
  if (mailbox !== null && !fits(mailbox.dailyLimit, 0, count)) {
    yield { reason: 'message_exceeds_limit', action: 'reject', enforced, limitedBy: null };
  }
  for (const { account, ...rest } of accounts) {
    const { dailyLimit, monthlyLimit } = account.limits;
    if (!fits(dailyLimit, 0, count) || !fits(monthlyLimit, 0, count)) {
      yield { reason: 'message_exceeds_limit', action: 'reject', ...rest };
    }
  }
  if (receiptsToday !== null && receiptsToday >= READ_RECEIPTS_A_DAY) yield ofState('defer', 'mailbox_limit', null);
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
  // A caller that does not know the size sends 0 bytes. When the cap is reached, such a message is deferred too.
  if (!fits(transfer.cap, transfer.used, Math.max(bytes, 1))) {
    yield { reason: 'transfer_limit', action: 'defer', enforced, limitedBy: null };
  }
}

function stopped(action: 'defer' | 'reject', reason: OutboundReason, limitedBy: DomainName | null): Verdict {
  return { allowed: false, action, reason, limitedBy };
}
