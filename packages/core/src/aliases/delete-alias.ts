import { aboutDomain } from '../audit/about-domain.js';
import { AuditLog } from '../audit/audit-log.js';
import { Clock } from '../clock.js';
import { DomainLocks } from '../domains/domain-locks.js';
import { AppError } from '../errors.js';
import { domainOf } from '../mailboxes/address.js';
import { needs } from '../needs.js';
import { type Actor, scopeOf } from '../operators/actor.js';
import { UnitOfWork } from '../unit-of-work.js';
import type { Alias } from './alias.js';
import { AliasRepository } from './alias-repository.js';

/** One alias by its id, or all aliases of an address. */
export type AliasHandle = { id: number } | { address: string };

@needs(UnitOfWork, DomainLocks, AliasRepository, AuditLog, Clock)
export class DeleteAlias {
  constructor(
    private readonly unitOfWork: UnitOfWork,
    private readonly locks: DomainLocks,
    private readonly aliases: AliasRepository,
    private readonly audit: AuditLog,
    private readonly clock: Clock,
  ) {}

  /** @throws AppError alias_not_found */
  async execute(actor: Actor, handle: AliasHandle): Promise<void> {
    await this.unitOfWork.run(async () => {
      const [found] = await this.find(actor, handle);
      if (found === undefined) throw new AppError('alias_not_found');
      // Without the lock of the partner, the deletion of the destination mailbox could subtract the same alias from the
      // count a second time.
      const { domain } = await this.locks.domain(actor, domainOf(found.address), 'alias_not_found');
      const aliases = await this.find(actor, handle);
      if (aliases.length === 0) throw new AppError('alias_not_found');
      await this.aliases.remove(aliases);
      await this.audit.append(
        actor,
        this.clock.now(),
        aboutDomain(domain, 'alias.delete', {
          subject: found.address,
          before: { destinations: aliases.map(({ destination }) => destination) },
        }),
      );
    });
  }

  private async find(actor: Actor, handle: AliasHandle): Promise<Alias[]> {
    if ('address' in handle) return this.aliases.ofAddress(scopeOf(actor), handle.address);
    const alias = await this.aliases.find(scopeOf(actor), handle.id);
    return alias === null ? [] : [alias];
  }
}
