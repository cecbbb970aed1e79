import { AnnounceLowering } from '../domains/announce-lowering.js';
import { ChangeDomain } from '../domains/change-domain.js';
import type { Domain } from '../domains/domain.js';
import type { DomainName } from '../domains/domain-name.js';
import { DomainOptions } from '../domains/domain-options.js';
import { AppError } from '../errors.js';
import { MailboxRepository } from '../mailboxes/mailbox-repository.js';
import { needs } from '../needs.js';
import type { Actor } from '../operators/actor.js';
import { defaultQuotaMb, PLANS, type PlanName } from './plan.js';

export interface PlanChange {
  plan: PlanName;
  /** True: also the quotas of mailboxes that have another one than the default. */
  override: boolean;
  /** The subscription that pays for the domain; absent: it stays as it is. */
  billing?: { ref: string; replaces: string | null } | undefined;
}

/**
 * Changes the plan of a domain: sets its retention, its transfer cap, and the storage quota of the mailboxes that still
 * have the default of the old plan; with `override`, of all mailboxes. When the domain already has the plan, only
 * `override` changes anything. The purge applies a lower retention only after the grace of plans.
 */
@needs(ChangeDomain, MailboxRepository, AnnounceLowering, DomainOptions)
export class ChangePlan {
  constructor(
    private readonly changeDomain: ChangeDomain,
    private readonly mailboxes: MailboxRepository,
    private readonly announceLowering: AnnounceLowering,
    private readonly options: DomainOptions,
  ) {}

  /** @throws AppError domain_not_found; billing_ref_differs when the domain stores another subscription */
  async execute(
    actor: Actor,
    name: DomainName,
    { plan, override, billing }: PlanChange,
  ): Promise<{ domain: Domain; mailboxesUpdated: number }> {
    let mailboxesUpdated = 0;
    const domain = await this.changeDomain.execute(
      actor,
      name,
      'domain.change_plan',
      (each) => ({
        plan: each.plan,
        retention_days: each.retentionDays,
        transfer_monthly_mb: each.transferMonthlyMb,
        mailboxes_updated: mailboxesUpdated,
        ...(billing === undefined ? {} : { billing_ref: each.billingRef }),
      }),
      async (each, now) => {
        mailboxesUpdated = 0;
        if (billing !== undefined) storeBilling(each, billing);
        const oldDefaultMb = defaultQuotaMb(each.plan);
        if (each.plan === plan && !override) return;
        const grace = { ms: this.options.planRetentionGraceMs, isNotified: true };
        const lowered = each.applyPlan(plan, now, grace);
        if (lowered !== null) await this.announceLowering.execute(actor, each, lowered, now);
        mailboxesUpdated = await this.mailboxes.setQuota(each.id, override ? null : oldDefaultMb, PLANS[plan].quotaMb);
      },
    );
    return { domain, mailboxesUpdated };
  }
}

/** A reference is only replaced by a caller that knows it. */
function storeBilling(domain: Domain, { ref, replaces }: NonNullable<PlanChange['billing']>): void {
  const present = domain.billingRef;
  if (present !== replaces && present !== ref) {
    throw new AppError('billing_ref_differs', { members: { billing_ref: present } });
  }
  domain.billingRef = ref;
}
