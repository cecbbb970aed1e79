import type { DomainName } from '../domains/domain-name.js';
import type { DomainRepository } from '../domains/domain-repository.js';
import type { RelayProvider } from './relay-provider.js';

/** Removes a deleted domain's identity from the provider, unless the domain is there (again). */
export class DeleteIdentity {
  constructor(
    private readonly domains: DomainRepository,
    private readonly provider: RelayProvider,
  ) {}

  /** @throws AppError relay_unavailable */
  async execute({ domainId, name }: { domainId: number; name: string }): Promise<void> {
    const domainName = name as DomainName;
    const current = await this.domains.find('all', domainName);
    if (current?.id === domainId) return;
    await this.provider.deleteIdentity({ id: domainId, name: domainName, startedAt: null });
  }
}
