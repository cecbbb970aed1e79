import { AppError } from '../errors.js';
import type { Actor } from '../operators/actor.js';
import { defaultQuotaMb, PLANS, type PlanName } from '../plans/plan.js';

/** The highest storage quota that any caller may set, megabytes. */
export const MAX_QUOTA_MB = 10_485_760;

/**
 * Checks the storage quota that a caller gives a mailbox: a client may set at most the quota of the plan, and not
 * unlimited.
 */
export class StorageQuotaRule {
  constructor(private readonly options: { clientMaxQuotaMb: number }) {}

  /** @throws AppError storage_quota_above_plan */
  check(actor: Actor, plan: PlanName | null, quotaMb: number): void {
    if (actor.kind !== 'client') return;
    const maxMb = this.clientMaximum(plan);
    if (quotaMb < 1 || quotaMb > maxMb) {
      throw new AppError('storage_quota_above_plan', { detail: `quota_mb must be from 1 to ${maxMb}` });
    }
  }

  /** The storage quota, megabytes, of a new mailbox without a given one. */
  initial(actor: Actor, plan: PlanName | null): number {
    const quotaMb = defaultQuotaMb(plan);
    return actor.kind === 'client' ? Math.min(quotaMb, this.clientMaximum(plan)) : quotaMb;
  }

  /** The highest storage quota, megabytes, that a client may set under this plan. */
  clientMaximum(plan: PlanName | null): number {
    return plan === null ? this.options.clientMaxQuotaMb : PLANS[plan].quotaMb;
  }
}
