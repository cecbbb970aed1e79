import { AppError } from '../errors.js';
import { needs } from '../needs.js';
import type { Actor } from '../operators/actor.js';
import { isFull } from '../partners/limit.js';
import type { Partner } from '../partners/partner.js';
import { ancestorsOf, type DomainName } from './domain-name.js';
import { type AncestorDomain, DomainRepository } from './domain-repository.js';
import { ReservedNames } from './reserved-names.js';

/** The rules for a domain that a partner gets: a created one, or a restored one. */
@needs(DomainRepository, ReservedNames)
export class DomainAdmission {
  constructor(
    private readonly domains: DomainRepository,
    private readonly reserved: ReservedNames,
  ) {}

  /**
   * Call it while the partner is locked: only then no other request takes the last place.
   * @returns the domains above the name.
   * @throws AppError domain_exists, domain_name_reserved, parent_domain_of_other_partner, domain_quota_exceeded
   */
  async check(actor: Actor, name: DomainName, partner: Partner): Promise<AncestorDomain[]> {
    await this.refuseTakenName(actor, name, partner.id);
    if (actor.kind !== 'master' && this.reserved.has(name)) throw new AppError('domain_name_reserved');
    const ancestors = await this.domains.ancestors(ancestorsOf(name));
    this.refuseForeignParent(actor, ancestors, partner.id);
    if (actor.kind === 'client' && isFull(actor.limits.domainsAllowed, partner.domainCount)) {
      const members = { limit: actor.limits.domainsAllowed, used: partner.domainCount };
      throw new AppError('domain_quota_exceeded', { members });
    }
    return ancestors;
  }

  private async refuseTakenName(actor: Actor, name: DomainName, partnerId: number): Promise<void> {
    const existing = await this.domains.find('all', name);
    if (existing === null) return;
    const isOwn = actor.kind !== 'client' || existing.partnerId === partnerId;
    throw new AppError('domain_exists', isOwn ? { members: { existing: { id: existing.id } } } : {});
  }

  /**
   * Refuses a name below another partner's verified domain: all partners share one relay account, in which a verified
   * domain can send for its subdomains too.
   */
  private refuseForeignParent(actor: Actor, ancestors: AncestorDomain[], partnerId: number): void {
    if (actor.kind === 'master') return;
    const foreign = ancestors.some(
      (ancestor) => ancestor.partnerId !== partnerId && ancestor.verificationStatus === 'verified',
    );
    if (foreign) throw new AppError('parent_domain_of_other_partner');
  }
}
