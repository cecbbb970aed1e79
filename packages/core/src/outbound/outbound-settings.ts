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

/** The lower of two limits. 0 is unlimited; a null `other` is ignored. */
function lowerLimit(limit: number, other: number | null): number {
  if (other === null || other === 0) return limit;
  return limit === 0 ? other : Math.min(limit, other);
}

/** Whether `used` and `more` together stay within the limit. 0 is unlimited. */
export function fits(limit: number, used: number, more: number): boolean {
  return limit === 0 || used + more <= limit;
}

/** The fields of a domain that determine its limits. */
export interface LimitedDomain {
  outboundTier: OutboundTier | null;
  operatorDailyLimit: number | null;
  operatorMonthlyLimit: number | null;
  clientDailyLimit: number | null;
  clientMonthlyLimit: number | null;
}

/** The domain's tier: its own, else its parent's, else `basic`. */
export function tierOf(
  domain: Pick<LimitedDomain, 'outboundTier'>,
  parent: Pick<LimitedDomain, 'outboundTier'> | null | undefined,
): OutboundTier {
  return domain.outboundTier ?? parent?.outboundTier ?? 'basic';
}

/** Whether the domain's limits are enforced or only monitored: its own setting, else its parent's, else `enforce`. */
export function enforcementOf(
  domain: { outboundEnforcement: OutboundEnforcement | null },
  parent: { outboundEnforcement: OutboundEnforcement | null } | null | undefined,
): OutboundEnforcement {
  return domain.outboundEnforcement ?? parent?.outboundEnforcement ?? 'enforce';
}

/** The operator's limits: master's override, else those of the domain's tier, else those of the linked parent's tier. */
export function operatorLimits(
  domain: LimitedDomain,
  parent: Pick<LimitedDomain, 'outboundTier'> | null,
  tiers: TierLimits,
): OutboundLimits {
  const tier = tiers[tierOf(domain, parent)];
  return {
    dailyLimit: domain.operatorDailyLimit ?? tier.dailyLimit,
    monthlyLimit: domain.operatorMonthlyLimit ?? tier.monthlyLimit,
  };
}

/** The limits that apply: the lower of the operator's and the client's own. */
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
