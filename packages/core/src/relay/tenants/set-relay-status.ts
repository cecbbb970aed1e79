import { aboutPartner } from '../../audit/about-partner.js';
import { AuditLog } from '../../audit/audit-log.js';
import { Clock } from '../../clock.js';
import { AppError } from '../../errors.js';
import { JobQueue } from '../../jobs/jobs.js';
import { needs } from '../../needs.js';
import type { Actor } from '../../operators/actor.js';
import { changeExpected, type Revised, raiseRevision } from '../../operators/revision.js';
import type { Partner, PartnerRef } from '../../partners/partner.js';
import { PartnerRepository, type PartnerSummary } from '../../partners/partner-repository.js';
import { UnitOfWork } from '../../unit-of-work.js';
import { RelayProvider } from '../relay-provider.js';
import { askAboutTenants } from './note-tenant-hint.js';
import { type RelayStatus, type Tenant, Tenants } from './tenants.js';

/** The tenant of a partner as its reader sees it, null without one, and the revision of the partner. */
export interface PartnerRelay extends Revised {
  tenant: Pick<Tenant, 'name' | 'status' | 'wanted' | 'cause'> | null;
}

/** Pauses and resumes the mail of a partner at the relay provider; a job does it there. */
@needs(UnitOfWork, PartnerRepository, Tenants, RelayProvider, JobQueue, AuditLog, Clock)
export class SetRelayStatus {
  constructor(
    private readonly unitOfWork: UnitOfWork,
    private readonly partners: PartnerRepository,
    private readonly tenants: Tenants,
    private readonly provider: RelayProvider,
    private readonly jobs: JobQueue,
    private readonly audit: AuditLog,
    private readonly clock: Clock,
  ) {}

  /** @throws AppError partner_not_found */
  async read(ref: PartnerRef): Promise<PartnerRelay> {
    const { id, revision } = await this.summaryOf(ref);
    return { tenant: this.shown(await this.tenants.find(id)), revision };
  }

  /** @throws AppError partner_not_found, changed_meanwhile, no_tenant */
  execute(actor: Actor, ref: PartnerRef, wanted: RelayStatus): Promise<PartnerRelay> {
    return this.unitOfWork.run(async () => {
      const partner: Partner = await this.partners.lock((await this.summaryOf(ref)).id);
      const tenant = await changeExpected(actor, partner, () => this.lockTenant(partner));
      // A partner that the provider has paused since may be resumed with the same wish again.
      if (wanted !== tenant.wanted || (!tenant.isAsked && wanted !== tenant.status)) {
        raiseRevision(actor, partner);
        await this.partners.save(partner);
        await this.tenants.save({ ...tenant, wanted, isAsked: true });
        await askAboutTenants(this.jobs, [partner.id], actor.requestId);
        const change = { subject: ref, before: { wanted: tenant.wanted }, after: { wanted } };
        await this.audit.append(actor, this.clock.now(), aboutPartner(partner, 'partner.set_relay', change));
      }
      return { tenant: this.shown({ ...tenant, wanted }), revision: partner.revision };
    });
  }

  private async lockTenant({ id }: Partner): Promise<Tenant> {
    const tenant = await this.tenants.lock(id);
    if (tenant === null || this.shown(tenant) === null) throw new AppError('no_tenant');
    return tenant;
  }

  private shown(tenant: Tenant | null): PartnerRelay['tenant'] {
    return this.provider.tenants === null || tenant?.arn === undefined || tenant.arn === null ? null : tenant;
  }

  private async summaryOf(ref: PartnerRef): Promise<PartnerSummary> {
    const summary = await this.partners.summary(ref);
    if (summary === null) throw new AppError('partner_not_found');
    return summary;
  }
}
