import { JobQueue } from '../../jobs/jobs.js';
import { needs } from '../../needs.js';
import { UnitOfWork } from '../../unit-of-work.js';
import { RelayProvider } from '../relay-provider.js';
import { Tenants } from './tenants.js';

/**
 * Has the tenants read that a message of the provider names. The message is a hint: whoever may publish to the topic
 * can write one, it may be late or doubled, and only what the provider answers is stored.
 */
@needs(UnitOfWork, Tenants, RelayProvider, JobQueue)
export class NoteTenantHint {
  constructor(
    private readonly unitOfWork: UnitOfWork,
    private readonly tenants: Tenants,
    private readonly provider: RelayProvider,
    private readonly jobs: JobQueue,
  ) {}

  /** @param arns compared whole with the stored ones. @returns how many of them are ours */
  async execute(arns: readonly string[], requestId: string | null): Promise<number> {
    if (this.provider.tenants === null) return 0;
    const partnerIds = await this.tenants.partnersOf(arns);
    if (partnerIds.length > 0) await this.unitOfWork.run(() => askAboutTenants(this.jobs, partnerIds, requestId));
    return partnerIds.length;
  }
}

/** One waiting job for each tenant, so that many hints cost one call. */
export async function askAboutTenants(
  jobs: JobQueue,
  partnerIds: Iterable<number>,
  requestId: string | null,
): Promise<void> {
  for (const partnerId of partnerIds) {
    await jobs.enqueue('tenant.check', { partnerId }, { key: `tenant.check/${partnerId}`, requestId });
  }
}
