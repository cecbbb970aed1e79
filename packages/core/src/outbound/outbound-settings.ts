export const OUTBOUND_TIERS = ['basic', 'standard', 'high', 'unlimited'] as const;
export type OutboundTier = (typeof OUTBOUND_TIERS)[number];

export const OUTBOUND_ENFORCEMENTS = ['enforce', 'monitor'] as const;
export type OutboundEnforcement = (typeof OUTBOUND_ENFORCEMENTS)[number];

export const OUTBOUND_STATUSES = ['active', 'blocked'] as const;
export type OutboundStatus = (typeof OUTBOUND_STATUSES)[number];

/** Messages a UTC day and month; 0 is unlimited. */
export interface OutboundLimits {
  dailyLimit: number;
  monthlyLimit: number;
}

/** What the tiers start with; master may change them (`PUT /outbound/tiers/{tier}`). */
export const DEFAULT_TIER_LIMITS: Record<OutboundTier, OutboundLimits> = {
  basic: { dailyLimit: 200, monthlyLimit: 3_000 },
  standard: { dailyLimit: 2_000, monthlyLimit: 40_000 },
  high: { dailyLimit: 20_000, monthlyLimit: 400_000 },
  unlimited: { dailyLimit: 0, monthlyLimit: 0 },
};
