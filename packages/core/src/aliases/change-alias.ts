import { aboutDomain } from '../audit/about-domain.js';
import { AuditLog } from '../audit/audit-log.js';
import { Clock } from '../clock.js';
import { DomainLocks } from '../domains/domain-locks.js';
import { AppError } from '../errors.js';
import { domainOf, type ParsedAddress } from '../mailboxes/address.js';
import { needs } from '../needs.js';
import { type Actor, scopeOf } from '../operators/actor.js';
import { UnitOfWork } from '../unit-of-work.js';
import { type Alias, isSameDestination } from './alias.js';
import { AliasDestinations } from './alias-destinations.js';
import { AliasRepository } from './alias-repository.js';

/** Changes the destination of one alias, by the rules of a new alias. Its address stays. */
@needs(UnitOfWork, DomainLocks, AliasRepository, AliasDestinations, AuditLog, Clock)
export class ChangeAlias {
  constructor(
    private readonly unitOfWork: UnitOfWork,
    private readonly locks: DomainLocks,
    private readonly aliases: AliasRepository,
    private readonly destinations: AliasDestinations,
    private readonly audit: AuditLog,
    private readonly clock: Clock,
  ) {}

  /** @throws AppError alias_not_found, mailbox_not_found, validation_failed, alias_exists, alias_quota_exceeded */
  execute(actor: Actor, id: number, given: ParsedAddress): Promise<Alias> {
    return this.unitOfWork.run(async () => {
      const { address } = await this.find(actor, id);
      // The lock of the partner: a creation or another change may take the last place of the mailbox.
      const { domain } = await this.locks.domain(actor, domainOf(address), 'alias_not_found');
      const alias = await this.find(actor, id);
      const mailbox = await this.destinations.find(actor, domain, given);
      const destination = mailbox?.email ?? given.address;
      if (alias.destination === destination) return alias;
      const before = alias.destination;
      if (!isSameDestination(before, destination)) {
        const siblings = await this.aliases.ofAddress('all', address);
        if (siblings.some((sibling) => isSameDestination(sibling.destination, destination)))
          throw new AppError('alias_exists');
        await this.destinations.refuseFull(actor, domain, destination);
      }
      alias.destination = destination;
      alias.destinationMailboxId = mailbox?.id ?? null;
      await this.aliases.save(alias);
      await this.audit.append(
        actor,
        this.clock.now(),
        aboutDomain(domain, 'alias.update', {
          subject: address,
          before: { destination: before },
          after: { destination },
        }),
      );
      return alias;
    });
  }

  private async find(actor: Actor, id: number): Promise<Alias> {
    const alias = await this.aliases.find(scopeOf(actor), id);
    if (alias === null) throw new AppError('alias_not_found');
    return alias;
  }
}
