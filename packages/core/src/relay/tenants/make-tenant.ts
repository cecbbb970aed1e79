import { Clock, HOUR_MS } from '../../clock.js';
import { AppError } from '../../errors.js';
import { JobQueue } from '../../jobs/jobs.js';
import { needs } from '../../needs.js';
import { PartnerRepository } from '../../partners/partner-repository.js';
import { UnitOfWork } from '../../unit-of-work.js';
import { RelayProvider } from '../relay-provider.js';
import { askAboutTenants } from './note-tenant-hint.js';
import { MAX_ENSURE_CALLS, type TenantOutcome } from './relay-tenants.js';
import { type Tenant, Tenants } from './tenants.js';

/** The wait before a tenant is tried again that could not be made. */
const RETRY_AFTER_MS = HOUR_MS;

/**
 * `none`: the service uses no tenants, or the partner is the one of no partner. `made`: the provider was asked, with
 * this number of calls.
 */
export type MadeTenant =
  | { state: 'ready'; arn: string; name: string }
  | { state: 'made'; calls: number }
  | { state: 'none' | 'waiting' };

/** Makes the tenant of a partner at the relay provider, or gives it what the settings say now. */
@needs(Tenants, RelayProvider, PartnerRepository, UnitOfWork, JobQueue, Clock)
export class MakeTenant {
  constructor(
    private readonly tenants: Tenants,
    private readonly provider: RelayProvider,
    private readonly partners: PartnerRepository,
    private readonly unitOfWork: UnitOfWork,
    private readonly jobs: JobQueue,
    private readonly clock: Clock,
  ) {}

  async execute(partnerId: number): Promise<MadeTenant> {
    const { tenants, configurationSet } = this.provider;
    if (tenants === null || (await this.partners.find(null))?.id === partnerId) return { state: 'none' };
    const found = await this.tenants.find(partnerId);
    if (found?.problem === 'leaving' || this.waits(found)) return { state: 'waiting' };
    if (found !== null && isReady(found, configurationSet, tenants.policy)) {
      return { state: 'ready', arn: found.arn, name: found.name };
    }
    // Stored before the call: a tenant whose call ends the process must not be tried again at once.
    await this.store(partnerId, { problem: 'unavailable' });
    const outcome = await this.ensure(partnerId);
    if (outcome.outcome === 'ours') {
      const { name, arn } = outcome.tenant;
      await this.store(partnerId, { problem: null, name, arn, configurationSet, policy: tenants.policy });
      await this.tenants.planJoins(partnerId);
      // What master asked of a tenant that is gone at the provider holds for the new one.
      if ((await this.tenants.find(partnerId))?.isAsked === true) await askAboutTenants(this.jobs, [partnerId], null);
    } else {
      await this.store(partnerId, { problem: outcome.outcome });
    }
    return { state: 'made', calls: outcome.calls };
  }

  private waits(tenant: Tenant | null): boolean {
    const { problem = null, retryAt = null } = tenant ?? {};
    return problem !== null && retryAt !== null && this.clock.now().getTime() < retryAt.getTime();
  }

  private async ensure(partnerId: number): Promise<TenantOutcome | { outcome: 'unavailable'; calls: number }> {
    // Which of the calls failed is not known.
    const unavailable = { outcome: 'unavailable', calls: MAX_ENSURE_CALLS } as const;
    try {
      return (await this.provider.tenants?.ensure(partnerId)) ?? unavailable;
    } catch (error) {
      if (error instanceof AppError && error.kind === 'unavailable') return unavailable;
      throw error;
    }
  }

  private store(partnerId: number, changes: Partial<Tenant> & Pick<Tenant, 'problem'>): Promise<void> {
    return this.unitOfWork.run(async () => {
      const tenant = (await this.tenants.lock(partnerId)) ?? newTenant(partnerId);
      const retryAt = changes.problem === null ? null : new Date(this.clock.now().getTime() + RETRY_AFTER_MS);
      await this.tenants.save({ ...tenant, ...changes, retryAt });
    });
  }
}

function isReady(
  tenant: Tenant,
  configurationSet: string | null,
  policy: Tenant['policy'],
): tenant is Tenant & { arn: string } {
  return tenant.arn !== null && tenant.configurationSet === configurationSet && tenant.policy === policy;
}

function newTenant(partnerId: number): Tenant {
  return {
    partnerId,
    name: '',
    arn: null,
    configurationSet: null,
    policy: null,
    status: 'active',
    statusSince: null,
    ownStatus: null,
    wanted: null,
    isAsked: false,
    cause: null,
    problem: null,
    retryAt: null,
    readAt: null,
    emptySince: null,
  };
}
