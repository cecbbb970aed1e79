import { utcDay, utcMonth } from '../clock.js';
import { REASON_OF_LIMIT } from './announce-limits.js';
import type { OutboundFacts, OutboundStop } from './decide-outbound.js';
import { changesOf, type StopContext, seesParent, type VerdictCause } from './verdict-causes.js';

/**
 * Since when a reason holds. Null when that was never stored, when it is not stored any more, and when it is a matter
 * of a parent that the caller does not see.
 *
 * @param causes of the reason, as the caller sees them
 */
export function sinceOf(
  stop: OutboundStop,
  causes: readonly VerdictCause[],
  facts: OutboundFacts,
  context: StopContext,
  now: Date,
): Date | null {
  switch (stop.reason) {
    case 'domain_suspended':
    case 'outbound_blocked':
      return earliest(causes.map(({ since }) => since));
    case 'relay_paused':
      return context.own.tenant?.pausedSince ?? null;
    case 'not_verified':
      return notVerifiedSince(context);
    case 'daily_limit':
    case 'monthly_limit':
    case 'transfer_limit':
      return limitReachedAt(stop, facts, context, now);
    case 'sender_not_allowed':
    case 'session_ended':
    case 'recipient_suppressed':
    case 'message_exceeds_limit':
    case 'mailbox_limit':
      return null;
  }
}

/** @returns null when one of the times is not known: the reason may hold for longer than the others. */
function earliest(times: readonly (Date | null)[]): Date | null {
  const known = times.filter((time) => time !== null);
  if (known.length === 0 || known.length < times.length) return null;
  return new Date(Math.min(...known.map((time) => time.getTime())));
}

/** A domain that was never verified, by itself or by a parent, is not verified since it was created. */
function notVerifiedSince({ own, parent, record, viewer }: StopContext): Date | null {
  const ownRecord = record.domains.get(own.id);
  if (ownRecord === undefined) return null;
  const lost = own.verificationLostAt ?? (ownRecord.verifiedAt === null ? ownRecord.createdAt : null);
  const times = [lost, own.inheritedUntil];
  if (parent !== null && seesParent(viewer, parent)) times.push(parent.verificationLostAt);
  return lost === null ? null : new Date(Math.max(...times.map((time) => time?.getTime() ?? 0)));
}

/** The event of the present period, when the limit is still the one that it names. */
function limitReachedAt(stop: OutboundStop, facts: OutboundFacts, context: StopContext, now: Date): Date | null {
  const isOfParent = stop.limitedBy !== null;
  const domain = isOfParent ? context.parent : context.own;
  const account = isOfParent ? facts.parent : facts.own;
  if (domain === null || account === null || (isOfParent && !seesParent(context.viewer, domain))) return null;
  const limit = {
    daily_limit: account.limits.dailyLimit,
    monthly_limit: account.limits.monthlyLimit,
    transfer_limit: facts.transfer.cap,
  };
  const event = changesOf(domain, context.viewer, context.record).find(
    ({ action, after }) =>
      action === 'domain.limit_reached' &&
      after?.percent === 100 &&
      REASON_OF_LIMIT[after.limit as keyof typeof REASON_OF_LIMIT] === stop.reason,
  );
  if (event === undefined || event.after?.limit_value !== limit[stop.reason as keyof typeof limit]) return null;
  const isPresent =
    stop.reason === 'daily_limit' ? utcDay(event.at) === utcDay(now) : utcMonth(event.at) === utcMonth(now);
  return isPresent ? event.at : null;
}
