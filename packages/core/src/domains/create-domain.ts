import type { AuditLog } from '../audit/audit-log.js';
import type { Clock } from '../clock.js';
import { AppError } from '../errors.js';
import type { JobQueue } from '../jobs.js';
import type { Actor } from '../operators/actor.js';
import { isFull } from '../partners/limit.js';
import type { PartnerRef } from '../partners/partner.js';
import type { PartnerRepository } from '../partners/partner-repository.js';
import type { RandomSource } from '../random-source.js';
import { Verification } from '../relay/verification.js';
import type { VerificationRepository } from '../relay/verification-repository.js';
import type { UnitOfWork } from '../unit-of-work.js';
import { Domain } from './domain.js';
import { ancestorsOf, type DomainName } from './domain-name.js';
import type { AncestorDomain, DomainRepository } from './domain-repository.js';
import { inheritFromTombstone, type TombstoneRepository } from './tombstone.js';
import { nearestWildcardParent } from './wildcard.js';

export interface CreateDomainCommand {
  name: DomainName;
  /** Whose domain it becomes; a client's is always its own, null is no partner's. */
  partnerRef: PartnerRef | null;
}

/** Registers a domain, links it to its wildcard parent, and starts its verification unless the parent's counts for it. */
export class CreateDomain {
  constructor(
    private readonly unitOfWork: UnitOfWork,
    private readonly partners: PartnerRepository,
    private readonly domains: DomainRepository,
    private readonly verifications: VerificationRepository,
    private readonly tombstones: TombstoneRepository,
    private readonly jobs: JobQueue,
    private readonly audit: AuditLog,
    private readonly clock: Clock,
    private readonly random: RandomSource,
    private readonly options: { ownershipRequired: boolean },
  ) {}

  /** @throws AppError domain_exists, parent_domain_of_other_partner, domain_quota_exceeded */
  execute(actor: Actor, { name, partnerRef }: CreateDomainCommand): Promise<Domain> {
    return this.unitOfWork.run(async () => {
      const partner =
        actor.kind === 'client'
          ? await this.partners.lock(actor.key.partnerId)
          : await this.partners.lockOrCreate(partnerRef);
      await this.refuseTakenName(actor, name, partner.id);
      const ancestors = await this.domains.ancestors(ancestorsOf(name));
      this.refuseForeignParent(actor, ancestors, partner.id);
      if (actor.kind === 'client' && isFull(actor.key.domainsAllowed, partner.domainCount)) {
        throw new AppError('domain_quota_exceeded');
      }
      const now = this.clock.now();
      const tombstone = await this.tombstones.newest(name, now);
      const changesHands = tombstone !== null && tombstone.partnerId !== partner.id;
      const parent = nearestWildcardParent(name, partner.id, ancestors);
      const parentVerified = parent?.verificationStatus === 'verified';
      const draft = Domain.create({
        name,
        partnerId: partner.id,
        partnerRef: partner.ref,
        createdAt: partner.stampCreation(now),
        parentId: parent?.id ?? null,
        inbound: !changesHands && (actor.kind === 'master' || parentVerified) ? 'open' : 'pending',
      });
      const returns = tombstone !== null && !changesHands;
      if (returns) inheritFromTombstone(draft, tombstone);
      const domain = await this.domains.add(draft);
      if (returns) await this.tombstones.handOver(tombstone, domain);
      partner.domainCount += 1;
      await this.partners.save(partner);
      await this.verifications.add(
        Verification.create({
          domainId: domain.id,
          ownershipToken: this.random.hex(20),
          ownershipRequired: changesHands || this.options.ownershipRequired,
        }),
      );
      if (!parentVerified)
        await this.jobs.enqueue('domain.verify', { domainId: domain.id }, { requestId: actor.requestId });
      await this.audit.record(actor, now, {
        action: 'domain.create',
        partnerRef: partner.ref,
        domain: name,
        subject: name,
        after: { name, parent: parent?.name ?? null, inbound: domain.inbound },
      });
      return domain;
    });
  }

  private async refuseTakenName(actor: Actor, name: DomainName, partnerId: number): Promise<void> {
    const existing = await this.domains.find('all', name);
    if (existing === null) return;
    const isOwn = actor.kind !== 'client' || existing.partnerId === partnerId;
    throw new AppError('domain_exists', isOwn ? { members: { existing: { id: existing.id } } } : {});
  }

  /** In one shared relay account a partner could send as `mail.<verified domain of another>`. */
  private refuseForeignParent(actor: Actor, ancestors: AncestorDomain[], partnerId: number): void {
    if (actor.kind === 'master') return;
    const foreign = ancestors.some(
      (ancestor) => ancestor.partnerId !== partnerId && ancestor.verificationStatus === 'verified',
    );
    if (foreign) throw new AppError('parent_domain_of_other_partner');
  }
}
