import { aboutPartner } from '../../audit/about-partner.js';
import { AuditLog } from '../../audit/audit-log.js';
import { Clock } from '../../clock.js';
import { JobQueue } from '../../jobs/jobs.js';
import { needs } from '../../needs.js';
import { Notifier } from '../../notifications/notifier.js';
import { systemActor } from '../../operators/actor.js';
import { PartnerRepository } from '../../partners/partner-repository.js';
import { UnitOfWork } from '../../unit-of-work.js';
import { RelayProvider } from '../relay-provider.js';
import { askAboutTenants } from './note-tenant-hint.js';
import type { SendingStatus, TenantReputation } from './relay-tenants.js';
import { type Tenant, Tenants } from './tenants.js';

/** The longest stored cause, characters. */
const MAX_CAUSE = 500;

/** Brings a tenant to the status that master asked for, and stores what the provider says that holds. */
@needs(UnitOfWork, Tenants, RelayProvider, PartnerRepository, Notifier, AuditLog, JobQueue, Clock)
export class CheckTenant {
  constructor(
    private readonly unitOfWork: UnitOfWork,
    private readonly tenants: Tenants,
    private readonly provider: RelayProvider,
    private readonly partners: PartnerRepository,
    private readonly notifier: Notifier,
    private readonly audit: AuditLog,
    private readonly jobs: JobQueue,
    private readonly clock: Clock,
  ) {}

  /** @returns what changed; null when nothing did. @throws AppError relay_unavailable */
  async execute(partnerId: number, requestId: string | null): Promise<'paused' | 'resumed' | null> {
    const tenant = await this.tenants.find(partnerId);
    const arn = tenant?.arn ?? null;
    if (tenant === null || arn === null) return null;
    const reputation = await this.bring(arn, tenant);
    if (reputation === 'off') return null;
    const outcome = await this.store(tenant, reputation, requestId);
    if (reputation === null && outcome !== 'overtaken') await this.tenants.forget(partnerId);
    return outcome === 'overtaken' ? null : outcome;
  }

  /** @returns the reputation afterwards; null when the tenant does not exist */
  private async bring(arn: string, tenant: Tenant): Promise<TenantReputation | 'off' | null> {
    const { tenants } = this.provider;
    if (tenants === null) return 'off';
    const found = await tenants.reputation(arn);
    if (found === null) return null;
    const target = targetOf(tenant, found);
    if (target === found.ownStatus) return found;
    await tenants.setStatus(arn, target);
    return tenants.reputation(arn);
  }

  /** Another process may have stored a newer answer meanwhile; then the provider is asked once more. */
  private store(
    { partnerId, arn, wanted, readAt }: Tenant,
    reputation: TenantReputation | null,
    requestId: string | null,
  ): Promise<'paused' | 'resumed' | 'overtaken' | null> {
    return this.unitOfWork.run(async () => {
      const partner = await this.partners.lock(partnerId);
      const tenant = await this.tenants.lock(partnerId);
      if (tenant === null || (reputation !== null && tenant.arn !== arn)) return null;
      if (tenant.readAt?.getTime() !== readAt?.getTime()) {
        await askAboutTenants(this.jobs, [partnerId], requestId);
        return 'overtaken';
      }
      const now = this.clock.now();
      const isPaused = reputation?.aggregate === 'DISABLED';
      const cause = isPaused ? (reputation.cause?.slice(0, MAX_CAUSE) ?? null) : null;
      const status = isPaused ? 'paused' : 'active';
      const isSame = status === tenant.status;
      const statusSince = isSame ? (tenant.statusSince ?? now) : now;
      const ownStatus = reputation?.ownStatus ?? null;
      // Another wish, of meanwhile, has a job of its own.
      const isAsked = tenant.isAsked && (tenant.wanted !== wanted || reputation === null);
      await this.tenants.save({ ...tenant, status, statusSince, cause, ownStatus, isAsked, readAt: now });
      if (isSame) return null;
      const type = isPaused ? 'partner.relay_paused' : 'partner.relay_resumed';
      const facts = { relay_status: status, cause };
      await this.notifier.notify(type, null, now, { partner_ref: partner.ref, ...facts });
      const change = { subject: partner.ref ?? '', before: { relay_status: tenant.status }, after: facts };
      await this.audit.append(systemActor('relay', requestId), now, aboutPartner(partner, type, change));
      return isPaused ? 'paused' : 'resumed';
    });
  }
}

/**
 * The status that we have to set. A wish is done once: the provider may pause the tenant again later, and what somebody
 * sets in its console stays.
 */
function targetOf({ wanted, isAsked }: Tenant, { ownStatus, hasFinding }: TenantReputation): SendingStatus {
  if (isAsked && wanted === 'paused') return 'DISABLED';
  if (isAsked && wanted === 'active') return hasFinding ? 'REINSTATED' : 'ENABLED';
  return ownStatus === 'REINSTATED' && !hasFinding ? 'ENABLED' : ownStatus;
}
