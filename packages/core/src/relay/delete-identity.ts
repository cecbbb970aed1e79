import { DatabaseClock } from '../clock.js';
import type { DomainName } from '../domains/domain-name.js';
import { DomainRepository } from '../domains/domain-repository.js';
import { JobQueue } from '../jobs/jobs.js';
import { needs } from '../needs.js';
import { UnitOfWork } from '../unit-of-work.js';
import { RelayProvider } from './relay-provider.js';
import { LEAVES_AFTER_MS, Tenants } from './tenants/tenants.js';

/** Deletes the identity of a deleted domain at the provider, unless the domain exists again with the same id. */
@needs(UnitOfWork, DomainRepository, RelayProvider, Tenants, JobQueue, DatabaseClock)
export class DeleteIdentity {
  constructor(
    private readonly unitOfWork: UnitOfWork,
    private readonly domains: DomainRepository,
    private readonly provider: RelayProvider,
    private readonly tenants: Tenants,
    private readonly jobs: JobQueue,
    private readonly clock: DatabaseClock,
  ) {}

  /** @throws AppError relay_unavailable */
  async execute({ domainId, name }: { domainId: number; name: string }): Promise<void> {
    const domainName = name as DomainName;
    if (await this.exists(domainId, domainName)) return;
    const now = await this.clock.time();
    await this.tenants.noteDeletion(domainName, new Date(now.getTime() + LEAVES_AFTER_MS));
    await this.provider.deleteIdentity({ id: domainId, name: domainName, startedAt: null });
    // The domain was restored during the call, so its verification may have found the identity that is gone now.
    if (await this.exists(domainId, domainName)) {
      await this.unitOfWork.run(() =>
        this.jobs.enqueue('domain.verify', { domainId }, { key: `domain.verify/${domainId}` }),
      );
    }
  }

  private async exists(domainId: number, name: DomainName): Promise<boolean> {
    return (await this.domains.find('all', name))?.id === domainId;
  }
}
