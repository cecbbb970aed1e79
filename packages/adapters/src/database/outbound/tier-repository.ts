import type { OutboundLimits, OutboundTier, TierLimits } from '@mailstead/core/outbound/outbound-settings';
import { TierRepository } from '@mailstead/core/outbound/tier-repository';
import type { Database } from '../driver/database.js';
import { toTierLimits } from './outbound-rows.js';

export class TypeormTierRepository extends TierRepository {
  constructor(private readonly database: Database) {
    super();
  }

  override async list(): Promise<TierLimits> {
    return toTierLimits(await this.database.read('SELECT tier, daily_limit, monthly_limit FROM outbound_tier'));
  }

  override async set(tier: OutboundTier, { dailyLimit, monthlyLimit }: OutboundLimits): Promise<void> {
    await this.database.write('UPDATE outbound_tier SET daily_limit = ?, monthly_limit = ? WHERE tier = ?', [
      dailyLimit,
      monthlyLimit,
      tier,
    ]);
  }
}
