import { Clock } from '../clock.js';
import { AppError, type ErrorCode } from '../errors.js';
import { needs } from '../needs.js';
import { type Actor, scopeOf } from '../operators/actor.js';
import type { Partner, PartnerRef } from '../partners/partner.js';
import { PartnerRepository } from '../partners/partner-repository.js';
import { ChangedBeforeLock } from '../unit-of-work.js';
import { UsageLedger } from '../usage/usage-ledger.js';
import type { Domain } from './domain.js';
import type { DomainName } from './domain-name.js';
import { DomainRepository } from './domain-repository.js';

/** A domain and its partner, both locked. */
export interface LockedDomain {
  partner: Partner;
  domain: Domain;
}

/**
 * Locks domains in a unit of work. Use cases lock domains only through this class: in the caller's scope, first the
 * partner, then the domain.
 *
 * The lock of the partner protects all counts of the partner and of its domains. Every use case that adds, removes or
 * moves a domain, a mailbox or an alias must lock the partner. If the domain moves to another partner between the read
 * of its partner and the lock, `ChangedBeforeLock` is thrown and the unit of work runs again.
 *
 * The first lock of a domain on a UTC day closes the usage of the days before, as the domain was then.
 */
@needs(PartnerRepository, DomainRepository, UsageLedger, Clock)
export class DomainLocks {
  constructor(
    private readonly partners: PartnerRepository,
    private readonly domains: DomainRepository,
    private readonly usage: UsageLedger,
    private readonly clock: Clock,
  ) {}

  /**
   * Locks the partner and the domain. Use it for changes of counts or of links between domains.
   *
   * @param missing the error code when the caller has no such domain.
   * @throws AppError missing; ChangedBeforeLock
   */
  async domain(actor: Actor, name: DomainName, missing: ErrorCode = 'domain_not_found'): Promise<LockedDomain> {
    const partner = await this.partners.lock(await this.partnerIdOf(actor, name, missing));
    return { partner, domain: await this.ofPartner(actor, name, partner, missing) };
  }

  /** Locks only the domain. Use it for changes that alter no count and no link to another domain. */
  async domainAlone(actor: Actor, name: DomainName, missing: ErrorCode = 'domain_not_found'): Promise<Domain> {
    const domain = await this.domains.lock(scopeOf(actor), name);
    if (domain === null) throw new AppError(missing);
    await this.usage.openDay(domain, this.clock.now());
    return domain;
  }

  /**
   * Locks the domain's partner, the target partner, and the domain. A target partner that does not exist is created.
   * The partners are locked in the order of their ids, so that two moves in opposite directions do not deadlock.
   *
   * @throws AppError domain_not_found; ChangedBeforeLock
   */
  async domainAndTarget(
    actor: Actor,
    name: DomainName,
    targetRef: PartnerRef | null,
  ): Promise<LockedDomain & { target: Partner }> {
    const partnerId = await this.partnerIdOf(actor, name, 'domain_not_found');
    const known = await this.partners.find(targetRef);
    const isTargetFirst = known !== null && known.id < partnerId;
    const lockedFirst = isTargetFirst ? await this.partners.lockOrCreate(targetRef) : null;
    const partner = await this.partners.lock(partnerId);
    const target = lockedFirst ?? (known?.id === partnerId ? partner : await this.partners.lockOrCreate(targetRef));
    return { partner, target, domain: await this.ofPartner(actor, name, partner, 'domain_not_found') };
  }

  /**
   * Locks the partner and a domain whose deletion has begun, for which the other methods throw.
   * @returns null when it is gone
   * @throws ChangedBeforeLock
   */
  async beingDeleted(domainId: number): Promise<LockedDomain | null> {
    const partnerId = await this.domains.partnerIdOf(domainId);
    if (partnerId === null) return null;
    const partner = await this.partners.lock(partnerId);
    const domain = await this.domains.lockById(domainId);
    if (domain === null) return null;
    if (domain.partnerId !== partnerId) throw new ChangedBeforeLock(`${domain.name} is another partner's by now`);
    await this.usage.openDay(domain, this.clock.now());
    return { partner, domain };
  }

  private async partnerIdOf(actor: Actor, name: DomainName, missing: ErrorCode): Promise<number> {
    const found = await this.domains.find(scopeOf(actor), name);
    if (found === null) throw new AppError(missing);
    return found.partnerId;
  }

  private async ofPartner(actor: Actor, name: DomainName, partner: Partner, missing: ErrorCode): Promise<Domain> {
    const domain = await this.domainAlone(actor, name, missing);
    if (domain.partnerId !== partner.id) throw new ChangedBeforeLock(`${name} is another partner's by now`);
    return domain;
  }
}
