import { needs } from '@mailstead/core/needs';
import type { OutboundLimits, OutboundTier, TierLimits } from '@mailstead/core/outbound/outbound-settings';
import { TierRepository } from '@mailstead/core/outbound/tier-repository';
import { Database } from '../driver/database.js';
import { toTierLimits } from './outbound-rows.js';
import { TierRow } from './outbound-schemas.js';

@needs(Database)
export class TypeormTierRepository extends TierRepository {
  constructor(private readonly database: Database) {
    super();
  }

  override async list(): Promise<TierLimits> {
    const rows = await this.database.manager.find(TierRow);
    return toTierLimits(
      rows.map(({ tier, dailyLimit, monthlyLimit }) => ({
        tier,
        daily_limit: dailyLimit,
        monthly_limit: monthlyLimit,
      })),
    );
  }

  override async set(tier: OutboundTier, { dailyLimit, monthlyLimit }: OutboundLimits): Promise<void> {
    await this.database.manager.update(TierRow, { tier }, { dailyLimit, monthlyLimit });
  }
}
