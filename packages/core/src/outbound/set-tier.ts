import { aboutInstallation } from '../audit/about-partner.js';
import type { AuditLog } from '../audit/audit-log.js';
import type { Clock } from '../clock.js';
import type { Actor } from '../operators/actor.js';
import type { UnitOfWork } from '../unit-of-work.js';
import type { OutboundLimits, OutboundTier } from './outbound-settings.js';
import type { TierRepository } from './tier-repository.js';

/** Changes the limits of a tier. They apply at once to every domain of that tier. */
export class SetTier {
  constructor(
    private readonly unitOfWork: UnitOfWork,
    private readonly tiers: TierRepository,
    private readonly audit: AuditLog,
    private readonly clock: Clock,
  ) {}

  execute(actor: Actor, tier: OutboundTier, limits: OutboundLimits): Promise<void> {
    return this.unitOfWork.run(async () => {
      const before = (await this.tiers.list())[tier];
      if (before.dailyLimit === limits.dailyLimit && before.monthlyLimit === limits.monthlyLimit) return;
      await this.tiers.set(tier, limits);
      const change = { subject: tier, before: show(before), after: show(limits) };
      await this.audit.append(actor, this.clock.now(), aboutInstallation('outbound_tier.set', change));
    });
  }
}

function show({ dailyLimit, monthlyLimit }: OutboundLimits): Record<string, unknown> {
  return { daily_limit: dailyLimit, monthly_limit: monthlyLimit };
}
