import type { PartnerStage } from './partner.js';

/** The causes that operators may set and lift, for a domain and for a partner. */
export const OPERATOR_CAUSES = ['operator', 'billing', 'abuse'] as const;
export type OperatorCause = (typeof OPERATOR_CAUSES)[number];

/** In the order of what they stop: each also stops what the former ones stop. */
export const PARTNER_STAGES = ['changes', 'all'] as const satisfies PartnerStage[];

/** One reason why a partner is suspended, and what it stops. */
export interface PartnerSuspension {
  cause: OperatorCause;
  stage: PartnerStage;
}

/** At most one for each cause, in a fixed order. */
export type PartnerSuspensions = readonly PartnerSuspension[];

/** Adds a cause, or changes its stage. */
export function withSuspension(suspensions: PartnerSuspensions, added: PartnerSuspension): PartnerSuspensions {
  const others = withoutSuspension(suspensions, added.cause);
  return [...others, added].toSorted(
    (left, right) => OPERATOR_CAUSES.indexOf(left.cause) - OPERATOR_CAUSES.indexOf(right.cause),
  );
}

export function withoutSuspension(suspensions: PartnerSuspensions, cause: OperatorCause): PartnerSuspensions {
  return suspensions.filter((each) => each.cause !== cause);
}

/** @returns the widest stage, which holds; null without a suspension. */
export function widestStage(suspensions: PartnerSuspensions): PartnerStage | null {
  return PARTNER_STAGES.findLast((stage) => suspensions.some((each) => each.stage === stage)) ?? null;
}
