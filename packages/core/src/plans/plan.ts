export const PLAN_NAMES = ['starter', 'business', 'enterprise'] as const;
export type PlanName = (typeof PLAN_NAMES)[number];

export interface Plan {
  plan: PlanName;
  /** Storage quota of each mailbox, megabytes. */
  quotaMb: number;
  retentionDays: number;
  transferMonthlyMb: number;
}

/** The table of section 8 of the specification; 1 GB is 1,024 MB. */
export const PLANS: Record<PlanName, Plan> = {
  starter: { plan: 'starter', quotaMb: 1_024, retentionDays: 30, transferMonthlyMb: 5 * 1_024 },
  business: { plan: 'business', quotaMb: 2 * 1_024, retentionDays: 60, transferMonthlyMb: 10 * 1_024 },
  enterprise: { plan: 'enterprise', quotaMb: 5 * 1_024, retentionDays: 90, transferMonthlyMb: 50 * 1_024 },
};

/** The storage quota, megabytes, of a mailbox that is created without one. */
export function defaultQuotaMb(plan: PlanName | null): number {
  return plan === null ? 1_024 : PLANS[plan].quotaMb;
}
