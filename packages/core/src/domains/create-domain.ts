import { aboutDomain } from '../audit/about-domain.js';
import { AuditLog } from '../audit/audit-log.js';
import { Clock } from '../clock.js';
import { JobQueue } from '../jobs/jobs.js';
import { needs } from '../needs.js';
import type { Actor } from '../operators/actor.js';
import type { PartnerRef } from '../partners/partner.js';
import { PartnerRepository } from '../partners/partner-repository.js';
import { RandomSource } from '../random-source.js';
import { PlanLooks } from '../relay/looks/plan-looks.js';
import { Verification } from '../relay/verification.js';
import { VerificationRepository } from '../relay/verification-repository.js';
import { UnitOfWork } from '../unit-of-work.js';
import { Domain } from './domain.js';
import { DomainAdmission } from './domain-admission.js';
import type { DomainName } from './domain-name.js';
import { DomainOptions } from './domain-options.js';
import { type AncestorDomain, DomainRepository } from './domain-repository.js';
import { formerParent, inheritFromTombstone, isProofMissing, isRemembered } from './tombstone.js';
import { TombstoneRepository } from './tombstone-repository.js';
import { nearestWildcardParent } from './wildcard.js';

export interface CreateDomainCommand {
  name: DomainName;
  /**
   * The partner of the new domain; null for no partner. Ignored when a client calls: the domain then gets the client's
   * partner.
   */
  partnerRef: PartnerRef | null;
  /** A reference of the partner's own system. */
  externalRef: string | null;
}

/** The results of linking the new domain and of applying the history of its name. */
interface AppliedHistory {
  /** The parent that the domain is linked to. */
  linked: AncestorDomain | null;
  /** Whether the parent's verification counts for the domain, so that it needs no verification job. */
  verifiedByParent: boolean;
  ownership: Pick<Verification, 'ownershipToken' | 'ownershipRequired'>;
}

/**
 * Creates a domain, links it to its wildcard parent, and starts its verification unless the parent's verification
 * counts for it.
 */
@needs(
  UnitOfWork,
  PartnerRepository,
  DomainRepository,
  VerificationRepository,
  TombstoneRepository,
  JobQueue,
  PlanLooks,
  AuditLog,
  Clock,
  RandomSource,
  DomainAdmission,
  DomainOptions,
)
export class CreateDomain {
  constructor(
    private readonly unitOfWork: UnitOfWork,
    private readonly partners: PartnerRepository,
    private readonly domains: DomainRepository,
    private readonly verifications: VerificationRepository,
    private readonly tombstones: TombstoneRepository,
    private readonly jobs: JobQueue,
    private readonly looks: PlanLooks,
    private readonly audit: AuditLog,
    private readonly clock: Clock,
    private readonly random: RandomSource,
    private readonly admission: DomainAdmission,
    private readonly options: { ownershipRequired: boolean },
  ) {}

  /** @throws AppError domain_exists, domain_name_reserved, parent_domain_of_other_partner, domain_quota_exceeded */
  execute(actor: Actor, { name, partnerRef, externalRef }: CreateDomainCommand): Promise<Domain> {
    return this.unitOfWork.run(async () => {
      const partner =
        actor.kind === 'client'
          ? await this.partners.lock(actor.partnerId)
          : await this.partners.lockOrCreate(partnerRef);
      const ancestors = await this.admission.check(actor, name, partner);
      const now = this.clock.now();
      const parent = nearestWildcardParent(name, partner.id, ancestors);
      const createdAt = partner.stampCreation(now);
      const inbound = actor.kind === 'master' || parent?.verificationStatus === 'verified' ? 'open' : 'pending';
      const domain = await this.domains.add(
        Domain.create({
          name,
          partnerId: partner.id,
          partnerRef: partner.ref,
          partnerStage: partner.stage,
          createdAt,
          parentId: parent?.id ?? null,
          inbound,
          externalRef,
          pendingSince: actor.kind === 'client' && inbound === 'pending' ? createdAt : null,
        }),
      );
      const { ownership, linked, verifiedByParent } = await this.applyHistory(actor, domain, parent, ancestors, now);
      partner.domainCount += 1;
      await this.partners.save(partner);
      await this.verifications.add(Verification.create({ domainId: domain.id, ...ownership }));
      if (!verifiedByParent)
        await this.jobs.enqueue('domain.verify', { domainId: domain.id }, { requestId: actor.requestId });
      await this.audit.append(
        actor,
        now,
        aboutDomain(domain, 'domain.create', {
          after: {
            name,
            parent: linked?.name ?? null,
            inbound: domain.inbound,
            ...(externalRef === null ? {} : { external_ref: externalRef }),
          },
        }),
      );
      if (verifiedByParent) await this.looks.afterChange(domain.id);
      return domain;
    });
  }

  /**
   * Restores the settings that operators made on the partner's former domain of that name. Requires a proof of
   * ownership when another partner had the name last. The domain must be added before: its unique name then keeps other
   * requests from creating the same name.
   */
  private async applyHistory(
    actor: Actor,
    domain: Domain,
    wildcardParent: AncestorDomain | null,
    ancestors: AncestorDomain[],
    now: Date,
  ): Promise<AppliedHistory> {
    const { own, last } = await this.tombstones.ofName(domain.name, domain.partnerId, now);
    const hadOtherPartner = last !== null && last.partnerId !== domain.partnerId && isRemembered(last.leftAt, now);
    const linked = formerParent(own, domain.partnerId, ancestors) ?? wildcardParent;
    const mustProve = hadOtherPartner || isProofMissing(own);
    if (own !== null) {
      domain.parentId = linked?.id ?? null;
      inheritFromTombstone(domain, own);
      await this.tombstones.handOver(own, domain, now);
      await this.jobs.enqueue('limits.mark', { domainId: domain.id });
    }
    // Bounces of mail that the former partner sent do not count for the new partner.
    if (hadOtherPartner && own === null) domain.bounceWindowStart = now;
    if (mustProve) {
      domain.inbound = 'pending';
      domain.pendingSince = actor.kind === 'client' ? domain.createdAt : null;
    }
    if (own !== null || mustProve) await this.domains.save(domain);
    if (last !== null) await this.tombstones.noteHolder(domain, now);
    return {
      linked,
      verifiedByParent: linked?.verificationStatus === 'verified' && !mustProve,
      ownership: {
        // When no other partner had the name in between, the partner's old DNS record stays valid.
        ownershipToken: (hadOtherPartner ? undefined : own?.ownership?.token) ?? this.random.hex(20),
        ownershipRequired: mustProve || own?.ownership?.required === true || this.options.ownershipRequired,
      },
    };
  }
}
