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
  temporaryDailyLimit: number | null;
  temporaryMonthlyLimit: number | null;
  temporaryLimitsUntil: Date | null;
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
 * Whether the limits of the domain are enforced or only monitored: its own setting, otherwise that of its parent,
 * otherwise `enforce`.
 */
export function enforcementOf(
  domain: { outboundEnforcement: OutboundEnforcement | null },
  parent: { outboundEnforcement: OutboundEnforcement | null } | null | undefined,
): OutboundEnforcement {
  return domain.outboundEnforcement ?? parent?.outboundEnforcement ?? 'enforce';
}

/** Until when the limits for a time hold; null when none hold at `now`. */
export function temporaryUntil({ temporaryLimitsUntil: until }: LimitedDomain, now: Date): Date | null {
  return until !== null && now < until ? until : null;
}

/**
 * The limits of the operator: those that master set for the domain for a time, otherwise those that it set for good,
 * otherwise those of its effective tier.
 */
export function operatorLimits(
  domain: LimitedDomain,
  parent: Pick<LimitedDomain, 'outboundTier'> | null,
  tiers: TierLimits,
  now: Date,
): OutboundLimits {
  const lasting = lastingLimits(domain, parent, tiers);
  if (temporaryUntil(domain, now) === null) return lasting;
  return {
    dailyLimit: domain.temporaryDailyLimit ?? lasting.dailyLimit,
    monthlyLimit: domain.temporaryMonthlyLimit ?? lasting.monthlyLimit,
  };
}

/** The limits of the operator without those for a time. */
function lastingLimits(
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

/** The client's limits, lowered to what the operator allows, apart from limits for a time. */
export function capClientLimits(
  domain: LimitedDomain,
  parent: Pick<LimitedDomain, 'outboundTier'> | null,
  tiers: TierLimits,
): Pick<LimitedDomain, 'clientDailyLimit' | 'clientMonthlyLimit'> {
  const operator = lastingLimits(domain, parent, tiers);
  const cap = (limit: number | null, most: number) => (limit === null ? null : lowerLimit(most, limit));
  return {
    clientDailyLimit: cap(domain.clientDailyLimit, operator.dailyLimit),
    clientMonthlyLimit: cap(domain.clientMonthlyLimit, operator.monthlyLimit),
  };
}

/** The limits that apply at `now`: the lower of the operator's limit and the client's limit. */
export function effectiveLimits(
  domain: LimitedDomain,
  parent: Pick<LimitedDomain, 'outboundTier'> | null,
  tiers: TierLimits,
  now: Date,
): OutboundLimits {
  const operator = operatorLimits(domain, parent, tiers, now);
  return {
    dailyLimit: lowerLimit(operator.dailyLimit, domain.clientDailyLimit),
    monthlyLimit: lowerLimit(operator.monthlyLimit, domain.clientMonthlyLimit),
  };
}
