import { AppError } from '../errors.js';
import type { Actor } from '../operators/actor.js';
import { PLANS, type PlanName } from '../plans/plan.js';

/** The highest storage quota anyone may set, megabytes. */
export const MAX_QUOTA_MB = 10_485_760;

/** How much storage a caller may give a mailbox: a client at most its plan's, and never unlimited. */
export class StorageQuotaRule {
  constructor(private readonly options: { clientMaxQuotaMb: number }) {}

  /** @throws AppError storage_quota_above_plan */
  check(actor: Actor, plan: PlanName | null, quotaMb: number): void {
    if (actor.kind !== 'client') return;
    const mostMb = plan === null ? this.options.clientMaxQuotaMb : PLANS[plan].quotaMb;
    if (quotaMb < 1 || quotaMb > mostMb) {
      throw new AppError('storage_quota_above_plan', { detail: `quota_mb must be from 1 to ${mostMb}` });
    }
  }
}
