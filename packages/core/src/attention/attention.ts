/** Why a domain needs the attention of a person. Limits: 80 % of them were used in the present period. */
export const ATTENTION_REASONS = [
  'suspended',
  'blocked',
  'unverified',
  'dns_at_risk',
  'daily_limit',
  'monthly_limit',
  'transfer_limit',
] as const;
export type AttentionReason = (typeof ATTENTION_REASONS)[number];

/** How long a domain may be without verification before it needs attention. */
export const UNVERIFIED_HOURS = 24;

/** A reached limit, for as long as its period lasts. */
export interface LimitMark {
  domainId: number;
  reason: AttentionReason;
  /**
   * `YYYY-MM-DD/epoch` or `YYYY-MM/epoch`: the day or month, and how often it was reset on request (`OutboundPeriod`).
   */
  period: string;
}
