import { PLAN_NAMES, type Plan, type PlanName } from '@mailstead/core/plans/plan';
import { Bool, Enum, Integer, Text } from '../http/fields.js';
import { REVISION } from '../http/revision.js';
import { matching } from '../http/text-rules.js';

export class PlanRow {
  @Enum(PLAN_NAMES, { description: 'The name of the plan' }) plan!: string;
  @Integer({ description: 'The storage quota of new mailboxes, megabytes', example: 1024 }) quota_mb!: number;
  @Integer({ description: 'Days that stored mail is kept; 0: no mail is removed', example: 30 })
  retention_days!: number;
  @Integer({ description: 'The monthly transfer cap, megabytes; 0 is unlimited', example: 10240 })
  transfer_monthly_mb!: number;
}

/** References are compared byte by byte, on every database: no spaces, only ASCII. */
const reference = matching(/^[\x21-\x7e]{1,128}$/, 'must be 1 to 128 printable ASCII characters without spaces');

export class PlanBody {
  @Enum(PLAN_NAMES, { description: 'The new plan' })
  plan!: PlanName;

  @Bool({ optional: true, description: 'Set the quota of all mailboxes, even if the domain is already on this plan' })
  override?: boolean;

  @Text({
    min: 1,
    max: 128,
    rule: reference,
    optional: true,
    description:
      'The subscription that pays for the domain. It is stored when the domain stores `replaces` or this one; otherwise 409 `billing_ref_differs`, with the present one as `billing_ref`, and nothing is changed',
    example: 'sub_1',
  })
  billing_ref?: string;

  @Text({
    min: 1,
    max: 128,
    rule: reference,
    optional: true,
    nullable: true,
    description: 'The subscription that `billing_ref` replaces; null, the default, when the domain stores none',
    example: null,
  })
  replaces?: string | null;
}

export class PlanResponse {
  @Text({ description: 'The name of the domain', example: 'example.com' }) name!: string;
  @Enum(PLAN_NAMES, { description: 'The plan of the domain' }) plan!: string;
  @Integer({ description: 'Days that stored mail is kept; 0: no mail is removed', example: 30 })
  retention_days!: number;
  @Integer({ description: 'The monthly transfer cap, megabytes; 0 is unlimited', example: 10240 })
  transfer_monthly_mb!: number;
  @Integer({ description: 'The storage quota of new mailboxes, megabytes', example: 1024 }) quota_mb!: number;
  @Integer(REVISION) revision!: number;
  @Integer({ description: 'How many mailboxes got the new quota', example: 1 }) mailboxes_updated!: number;
}

export function presentPlan({ plan, quotaMb, retentionDays, transferMonthlyMb }: Plan): PlanRow {
  return { plan, quota_mb: quotaMb, retention_days: retentionDays, transfer_monthly_mb: transferMonthlyMb };
}
