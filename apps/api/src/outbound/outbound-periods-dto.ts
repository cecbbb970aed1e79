import { OUTBOUND_TIERS, type OutboundLimits, type OutboundTier } from '@mailstead/core/outbound/outbound-settings';
import { Enum, Integer } from '../http/fields.js';

const MAX_LIMIT = 1_000_000_000;

export class TierBody {
  @Integer({ max: MAX_LIMIT, description: 'Messages per UTC day; 0 is unlimited', example: 200 })
  daily_limit!: number;

  @Integer({ max: MAX_LIMIT, description: 'Messages per UTC month; 0 is unlimited', example: 3000 })
  monthly_limit!: number;
}

export class TierResponse extends TierBody {
  @Enum(OUTBOUND_TIERS, { description: 'The name of the tier' }) tier!: string;
}

export class DailyResetResponse {
  @Integer({ description: 'Number of counters that were not 0', example: 3 }) reset!: number;
}

export class MonthlyResetResponse {
  @Integer({ description: 'Number of rows written to the history', example: 3 }) frozen!: number;
  @Integer({ description: 'Number of counters that were not 0', example: 3 }) reset!: number;
}

export function presentTier(tier: OutboundTier, { dailyLimit, monthlyLimit }: OutboundLimits): TierResponse {
  return { tier, daily_limit: dailyLimit, monthly_limit: monthlyLimit };
}
