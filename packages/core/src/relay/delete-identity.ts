import type { DomainName } from '../domains/domain-name.js';
import type { DomainRepository } from '../domains/domain-repository.js';
import type { JobQueue } from '../jobs/jobs.js';
import type { UnitOfWork } from '../unit-of-work.js';
import type { RelayProvider } from './relay-provider.js';

/** Deletes the identity of a deleted domain at the provider, unless the domain exists again with the same id. */
export class DeleteIdentity {
  constructor(
    private readonly unitOfWork: UnitOfWork,
    private readonly domains: DomainRepository,
    private readonly provider: RelayProvider,
    private readonly jobs: JobQueue,
  ) {}

  /** @throws AppError relay_unavailable */
  async execute({ domainId, name }: { domainId: number; name: string }): Promise<void> {
    const domainName = name as DomainName;
    if (await this.exists(domainId, domainName)) return;
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
