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

/** The lower of two limits. 0 is unlimited; `other` null is no limit. */
function lowerLimit(limit: number, other: number | null): number {
  if (other === null || other === 0) return limit;
  return limit === 0 ? other : Math.min(limit, other);
}

/** Whether `used` plus `more` is within the limit. 0 is unlimited. */
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

/** The tier of the domain: its own, otherwise that of its parent, otherwise `basic`. */
export function tierOf(
  domain: Pick<LimitedDomain, 'outboundTier'>,
  parent: Pick<LimitedDomain, 'outboundTier'> | null | undefined,
): OutboundTier {
  return domain.outboundTier ?? parent?.outboundTier ?? 'basic';
}

/**
 * Whether the limits of the domain are enforced or only monitored: its own setting, otherwise that of its parent, otherwise
 * `enforce`.
 */
export function enforcementOf(
  domain: { outboundEnforcement: OutboundEnforcement | null },
  parent: { outboundEnforcement: OutboundEnforcement | null } | null | undefined,
): OutboundEnforcement {
  return domain.outboundEnforcement ?? parent?.outboundEnforcement ?? 'enforce';
}

/** The limits of the operator: those that master set for the domain, otherwise those of its effective tier. */
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

/** The limits that apply: the lower of the operator's limit and the client's limit. */
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
