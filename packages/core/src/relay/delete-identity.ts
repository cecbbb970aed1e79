import type { DomainName } from '../domains/domain-name.js';
import type { DomainRepository } from '../domains/domain-repository.js';
import type { RelayProvider } from './relay-provider.js';

/** Deletes the identity of a deleted domain at the provider, unless the domain exists again with the same id. */
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
