import type { PartnerStage } from '../partners/partner.js';

/**
 * Why a domain needs the attention of a person, in the order of severity. `mail_waiting`: accepted mail has waited for
 * four days because of a suspension. `dns_missing`: it lacks records that its mail needs (`DNS_LACKS`). Limits: 80 % of
 * them were used in the present period. `suppressions_high`: mail of yesterday met too many addresses that are
 * suppressed since.
 */
export const ATTENTION_REASONS = [
  'suspended',
  'partner_suspended',
  'mail_waiting',
  'blocked',
  'dns_at_risk',
  'dns_missing',
  'unverified',
  'daily_limit',
  'monthly_limit',
  'transfer_limit',
  'suppressions_high',
] as const;
export type AttentionReason = (typeof ATTENTION_REASONS)[number];

/** A reason that is stored with the domain. The suspension of a partner is read from the partner. */
export type StoredReason = Exclude<AttentionReason, 'partner_suspended'>;

/** The reasons of which rows exist, in the order of `ATTENTION_REASONS`. */
export const STORED_REASONS = ATTENTION_REASONS.filter(
  (reason): reason is StoredReason => reason !== 'partner_suspended',
);

/** How long a domain may be without verification before it needs attention. */
export const UNVERIFIED_HOURS = 24;

/** A reached limit, for as long as its period lasts. */
export interface LimitMark {
  domainId: number;
  reason: StoredReason;
  /**
   * `YYYY-MM-DD/epoch` or `YYYY-MM/epoch`: the day or month, and how often it was reset on request (`OutboundPeriod`).
   */
  period: string;
}

/** All reasons of a domain, in the order of `ATTENTION_REASONS`. Either stage of its partner stops what it sends. */
export function attentionOf(
  stored: readonly StoredReason[],
  { partnerStage }: { partnerStage: PartnerStage | null },
): AttentionReason[] {
  return ATTENTION_REASONS.filter((reason) =>
    reason === 'partner_suspended' ? partnerStage !== null : stored.includes(reason),
  );
}
