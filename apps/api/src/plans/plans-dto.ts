import { PLAN_NAMES, type Plan, type PlanName } from '@mailstead/core/plans/plan';
import { Bool, Enum, Integer, Text } from '../http/fields.js';

export class PlanRow {
  @Enum(PLAN_NAMES) plan!: string;
  @Integer() quota_mb!: number;
  @Integer() retention_days!: number;
  @Integer() transfer_monthly_mb!: number;
}

export class PlanBody {
  @Enum(PLAN_NAMES)
  plan!: PlanName;

  @Bool({ optional: true, description: 'Set the quota of all mailboxes, even if the domain is already on this plan' })
  override?: boolean;
}

export class PlanResponse {
  @Text() name!: string;
  @Enum(PLAN_NAMES) plan!: string;
  @Integer() retention_days!: number;
  @Integer() transfer_monthly_mb!: number;
  @Integer() quota_mb!: number;
  @Integer() mailboxes_updated!: number;
}

export function presentPlan({ plan, quotaMb, retentionDays, transferMonthlyMb }: Plan): PlanRow {
  return { plan, quota_mb: quotaMb, retention_days: retentionDays, transfer_monthly_mb: transferMonthlyMb };
}
