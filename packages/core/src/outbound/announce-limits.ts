import type { AttentionReason, LimitMark, StoredReason } from '../attention/attention.js';
import { AttentionList } from '../attention/attention-list.js';
import { aboutDomain } from '../audit/about-domain.js';
import { AuditLog } from '../audit/audit-log.js';
import { needs } from '../needs.js';
import { Notifier } from '../notifications/notifier.js';
import { systemActor } from '../operators/actor.js';
import type { OutboundFacts, OutboundReason } from './decide-outbound.js';
import { type LimitReached, nearLimits } from './limit-reached.js';
import type { OutboundPeriod } from './outbound-period.js';

const ACTOR = systemActor('outbound');

/** The reasons for attention, by the limit. */
export const REASON_OF_LIMIT = {
  daily: 'daily_limit',
  monthly: 'monthly_limit',
  transfer: 'transfer_limit',
} as const satisfies Record<LimitReached['limit'], LimitMark['reason']>;

const LIMIT_REASONS = new Set<string>(Object.values(REASON_OF_LIMIT));

export function isOfLimit(reason: AttentionReason | OutboundReason): boolean {
  return LIMIT_REASONS.has(reason);
}

/** The reasons of the limits of which at least 80 % are used, in the order of `ATTENTION_REASONS`. */
export function nearReasons({ own, transfer }: Pick<OutboundFacts, 'own' | 'transfer'>): StoredReason[] {
  const near = nearLimits(
    { daily: own.limits.dailyLimit, monthly: own.limits.monthlyLimit, transfer: transfer.cap },
    { daily: own.sentToday, monthly: own.sentThisMonth, transfer: transfer.used },
  );
  return near.map((limit) => REASON_OF_LIMIT[limit]);
}

/**
 * Notifies the operators of each reached threshold, writes its event, and marks the domain, in the transaction of the
 * count.
 */
@needs(Notifier, AuditLog, AttentionList)
export class AnnounceLimits {
  constructor(
    private readonly notifier: Notifier,
    private readonly audit: AuditLog,
    private readonly attention: AttentionList,
  ) {}

  async execute(reached: readonly LimitReached[], period: OutboundPeriod, now: Date): Promise<void> {
    for (const { domain, limit, percent, used, of } of reached) {
      const facts = { limit, percent, used, limit_value: of };
      await this.notifier.notify('domain.limit_reached', domain, now, facts);
      await this.audit.append(ACTOR, now, aboutDomain(domain, 'domain.limit_reached', { after: facts }));
    }
    await this.attention.addLimits(marksOf(reached, period));
  }
}

/** One mark for each domain and limit. */
function marksOf(reached: readonly LimitReached[], period: OutboundPeriod): LimitMark[] {
  const marks = reached.map(({ domain, limit }) => ({
    domainId: domain.id,
    reason: REASON_OF_LIMIT[limit],
    period: limit === 'daily' ? `${period.day}/${period.dayEpoch}` : `${period.month}/${period.monthEpoch}`,
  }));
  return [...new Map(marks.map((mark) => [`${mark.domainId}/${mark.reason}`, mark])).values()];
}
