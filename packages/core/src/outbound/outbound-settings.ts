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

export type TierLimits = Record<OutboundTier, OutboundLimits>;

/** The lower of two limits, where 0 is unlimited and null is no limit of one's own. */
function lowerLimit(limit: number, other: number | null): number {
  if (other === null || other === 0) return limit;
  return limit === 0 ? other : Math.min(limit, other);
}

/** Whether a limit leaves room for `more` on top of `used`; 0 is unlimited. */
export function fits(limit: number, used: number, more: number): boolean {
  return limit === 0 || used + more <= limit;
}

/** The fields of a domain that its limits follow from. */
export interface LimitedDomain {
  outboundTier: OutboundTier | null;
  operatorDailyLimit: number | null;
  operatorMonthlyLimit: number | null;
  clientDailyLimit: number | null;
  clientMonthlyLimit: number | null;
}

/** What the operator allows: master's override, else the tier's, which a linked parent may lend. */
export function operatorLimits(
  domain: LimitedDomain,
  parent: Pick<LimitedDomain, 'outboundTier'> | null,
  tiers: TierLimits,
): OutboundLimits {
  const tier = tiers[domain.outboundTier ?? parent?.outboundTier ?? 'basic'];
  return {
    dailyLimit: domain.operatorDailyLimit ?? tier.dailyLimit,
    monthlyLimit: domain.operatorMonthlyLimit ?? tier.monthlyLimit,
  };
}

/** What holds: the lower of the operator's limits and the client's own. */
export function effectiveLimits(
  domain: LimitedDomain,
  parent: Pick<LimitedDomain, 'outboundTier'> | null,
  tiers: TierLimits,
): OutboundLimits {
  const operator = operatorLimits(domain, parent, tiers);
  return {
    dailyLimit: lowerLimit(operator.dailyLimit, domain.clientDailyLimit),
    monthlyLimit: lowerLimit(operator.monthlyLimit, domain.clientMonthlyLimit),
  };
}
