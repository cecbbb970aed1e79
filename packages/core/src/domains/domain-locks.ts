import { AppError, type ErrorCode } from '../errors.js';
import { type Actor, scopeOf } from '../operators/actor.js';
import type { Partner, PartnerRef } from '../partners/partner.js';
import type { PartnerRepository } from '../partners/partner-repository.js';
import { ChangedBeforeLock } from '../unit-of-work.js';
import type { Domain } from './domain.js';
import type { DomainName } from './domain-name.js';
import type { DomainRepository } from './domain-repository.js';

/** A domain and its partner, both locked. */
export interface LockedDomain {
  partner: Partner;
  domain: Domain;
}

/**
 * The one way to lock a domain in a unit of work: in the caller's scope, the partner first, then the domain.
 *
 * The partner's lock covers every count of the partner and of its domains: whoever adds, removes or moves a domain, a mailbox
 * or an alias holds it. The domain may have been moved between the read that named the partner and the lock; the unit of work
 * then runs again.
 */
export class DomainLocks {
  constructor(
    private readonly partners: PartnerRepository,
    private readonly domains: DomainRepository,
  ) {}

  /**
   * Locks the partner and the domain. For every change of what the partner owns.
   *
   * @param missing the error when the caller has no such domain.
   * @throws ChangedBeforeLock
   */
  async domain(actor: Actor, name: DomainName, missing: ErrorCode = 'domain_not_found'): Promise<LockedDomain> {
    const partner = await this.partners.lock(await this.partnerIdOf(actor, name, missing));
    return { partner, domain: await this.ofPartner(actor, name, partner, missing) };
  }

  /** Locks the domain alone. For changes that leave every count and every link to other domains as they are. */
  async domainAlone(actor: Actor, name: DomainName, missing: ErrorCode = 'domain_not_found'): Promise<Domain> {
    const domain = await this.domains.lock(scopeOf(actor), name);
    if (domain === null) throw new AppError(missing);
    return domain;
  }

  /**
   * Locks the domain's partner, the partner it moves to, and the domain. The partner it moves to is made when it is new. The
   * partners are locked in the order of their ids, so that opposite moves do not deadlock.
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
