import { aboutDomain } from '../audit/about-domain.js';
import { AuditLog } from '../audit/audit-log.js';
import { Clock } from '../clock.js';
import { isEmpty } from '../domains/domain.js';
import { DomainLocks } from '../domains/domain-locks.js';
import type { DomainName } from '../domains/domain-name.js';
import { DomainRepository } from '../domains/domain-repository.js';
import { AppError, invalidField } from '../errors.js';
import type { Address, AliasAddress, ParsedAddress } from '../mailboxes/address.js';
import { MailboxRepository } from '../mailboxes/mailbox-repository.js';
import { needs } from '../needs.js';
import type { Actor } from '../operators/actor.js';
import { PartnerRepository } from '../partners/partner-repository.js';
import { PlanLooks } from '../relay/looks/plan-looks.js';
import { UnitOfWork } from '../unit-of-work.js';
import { Alias, isSameDestination, MAX_DESTINATIONS } from './alias.js';
import { AliasDestinations } from './alias-destinations.js';
import { AliasRepository } from './alias-repository.js';

export interface CreateAliasCommand {
  address: Address | AliasAddress;
  domain: DomainName;
  /**
   * The local part has the case that the caller wrote. Mailboxes are looked up in lower case; an outside address is
   * stored as written.
   */
  destination: ParsedAddress;
}

/**
 * Creates an alias that delivers to a mailbox of the same partner. The address `@domain` creates the catch-all. An
 * outside destination must be allowed by the operator (`allowExternalForward`) and be set up on the mail servers. An
 * alias cannot deliver to another alias, so aliases cannot form a loop.
 */
@needs(
  UnitOfWork,
  DomainLocks,
  PartnerRepository,
  DomainRepository,
  MailboxRepository,
  AliasRepository,
  AliasDestinations,
  PlanLooks,
  AuditLog,
  Clock,
)
export class CreateAlias {
  constructor(
    private readonly unitOfWork: UnitOfWork,
    private readonly locks: DomainLocks,
    private readonly partners: PartnerRepository,
    private readonly domains: DomainRepository,
    private readonly mailboxes: MailboxRepository,
    private readonly aliases: AliasRepository,
    private readonly destinations: AliasDestinations,
    private readonly looks: PlanLooks,
    private readonly audit: AuditLog,
    private readonly clock: Clock,
  ) {}

  /**
   * @throws AppError domain_not_found, mailbox_not_found, validation_failed, alias_exists, address_in_use,
   * alias_quota_exceeded
   */
  execute(actor: Actor, command: CreateAliasCommand): Promise<Alias> {
    return this.unitOfWork.run(async () => {
      const { partner, domain } = await this.locks.domain(actor, command.domain);
      const mailbox = await this.destinations.find(actor, domain, command.destination);
      const destination = mailbox?.email ?? command.destination.address;
      await this.refuseTakenAddress(command.address, destination);
      await this.destinations.refuseFull(actor, domain, destination);
      if (mailbox === null) this.destinations.refuseFullDomain(actor, domain);
      const now = this.clock.now();
      const alias = await this.aliases.add(
        Alias.create({
          domainId: domain.id,
          address: command.address,
          destination,
          destinationMailboxId: mailbox?.id ?? null,
          createdAt: partner.stampCreation(now),
        }),
      );
      await this.domains.addToCounts(domain.id, { aliases: 1 });
      await this.partners.save(partner);
      await this.audit.append(
        actor,
        now,
        aboutDomain(domain, 'alias.create', {
          subject: alias.address,
          after: { destination: alias.destination },
        }),
      );
      if (isEmpty(domain)) await this.looks.afterChange(domain.id);
      return alias;
    });
  }

  private async refuseTakenAddress(address: Address | AliasAddress, destination: Address): Promise<void> {
    const siblings = await this.aliases.ofAddress('all', address);
    if (siblings.some((sibling) => isSameDestination(sibling.destination, destination))) {
      throw new AppError('alias_exists');
    }
    if ((await this.mailboxes.find('all', address as Address)) !== null) throw new AppError('address_in_use');
    if (siblings.length >= MAX_DESTINATIONS) {
      throw invalidField('destination', `the address has ${MAX_DESTINATIONS} destinations already`);
    }
  }
}
