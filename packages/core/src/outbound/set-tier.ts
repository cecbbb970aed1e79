import { aboutInstallation } from '../audit/about-partner.js';
import { AuditLog } from '../audit/audit-log.js';
import { Clock } from '../clock.js';
import { JobQueue } from '../jobs/jobs.js';
import { needs } from '../needs.js';
import type { Actor } from '../operators/actor.js';
import { UnitOfWork } from '../unit-of-work.js';
import type { OutboundLimits, OutboundTier } from './outbound-settings.js';
import { TierRepository } from './tier-repository.js';

/** Changes the limits of a tier. They apply at once to every domain of that tier. */
@needs(UnitOfWork, TierRepository, AuditLog, Clock, JobQueue)
export class SetTier {
  constructor(
    private readonly unitOfWork: UnitOfWork,
    private readonly tiers: TierRepository,
    private readonly audit: AuditLog,
    private readonly clock: Clock,
    private readonly jobs: JobQueue,
  ) {}

  execute(actor: Actor, tier: OutboundTier, limits: OutboundLimits): Promise<void> {
    return this.unitOfWork.run(async () => {
      const before = (await this.tiers.list())[tier];
      if (before.dailyLimit === limits.dailyLimit && before.monthlyLimit === limits.monthlyLimit) return;
      await this.tiers.set(tier, limits);
      const change = { subject: tier, before: show(before), after: show(limits) };
      await this.jobs.enqueue('limits.mark', { domainId: null }, { key: 'limits.mark' });
      await this.audit.append(actor, this.clock.now(), aboutInstallation('outbound_tier.set', change));
    });
  }
}

function show({ dailyLimit, monthlyLimit }: OutboundLimits): Record<string, unknown> {
  return { daily_limit: dailyLimit, monthly_limit: monthlyLimit };
}
