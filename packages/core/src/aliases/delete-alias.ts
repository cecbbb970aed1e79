import type { AuditLog } from '../audit/audit-log.js';
import type { Clock } from '../clock.js';
import type { DomainRepository } from '../domains/domain-repository.js';
import { AppError } from '../errors.js';
import { type Actor, scopeOf } from '../operators/actor.js';
import type { UnitOfWork } from '../unit-of-work.js';
import type { Alias } from './alias.js';
import type { AliasRepository } from './alias-repository.js';

/** One alias by its id, or all aliases of an address. */
export type AliasHandle = { id: number } | { address: string };

export class DeleteAlias {
  constructor(
    private readonly unitOfWork: UnitOfWork,
    private readonly domains: DomainRepository,
    private readonly aliases: AliasRepository,
    private readonly audit: AuditLog,
    private readonly clock: Clock,
  ) {}

  /** @throws AppError alias_not_found */
  async execute(actor: Actor, handle: AliasHandle): Promise<void> {
    await this.unitOfWork.run(async () => {
      const seen = (await this.find(actor, handle))[0];
      const domain = seen === undefined ? null : await this.domains.lockById(seen.domainId);
      if (seen === undefined || domain === null) throw new AppError('alias_not_found');
      const aliases = await this.find(actor, handle);
      if (aliases.length === 0) throw new AppError('alias_not_found');
      await this.aliases.remove(aliases);
      await this.audit.append(actor, this.clock.now(), {
        action: 'alias.delete',
        partnerRef: domain.partnerRef,
        domain: domain.name,
        subject: seen.address,
        before: { destinations: aliases.map(({ destination }) => destination) },
      });
    });
  }

  private async find(actor: Actor, handle: AliasHandle): Promise<Alias[]> {
    if ('address' in handle) return this.aliases.ofAddress(scopeOf(actor), handle.address);
    const alias = await this.aliases.find(scopeOf(actor), handle.id);
    return alias === null ? [] : [alias];
  }
}
