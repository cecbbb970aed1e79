import type { Alias } from '../aliases/alias.js';
import { aboutDomain } from '../audit/about-domain.js';
import { AuditLog } from '../audit/audit-log.js';
import type { Domain } from '../domains/domain.js';
import { DomainAdmission } from '../domains/domain-admission.js';
import type { DomainName } from '../domains/domain-name.js';
import { DomainOptions } from '../domains/domain-options.js';
import { type AncestorDomain, DomainRepository } from '../domains/domain-repository.js';
import { withCause } from '../domains/suspension.js';
import { formerParent, inheritFromTombstone, isProofMissing, type Tombstone } from '../domains/tombstone.js';
import { TombstoneRepository } from '../domains/tombstone-repository.js';
import { nearestWildcardParent } from '../domains/wildcard.js';
import { AppError } from '../errors.js';
import { JobQueue } from '../jobs/jobs.js';
import { StorageQuotaRule } from '../mailboxes/storage-quota-rule.js';
import { needs } from '../needs.js';
import type { Actor } from '../operators/actor.js';
import { capClientLimits } from '../outbound/outbound-settings.js';
import { TierRepository } from '../outbound/tier-repository.js';
import type { Partner } from '../partners/partner.js';
import { RandomSource } from '../random-source.js';
import { Verification } from '../relay/verification.js';
import { VerificationRepository } from '../relay/verification-repository.js';
import type { DeletedItem } from './deleted-item.js';
import { DeletedItems } from './deleted-items.js';
import { RestoreAliases } from './restore-aliases.js';
import { RestoreStrategy } from './restore-strategy.js';

/**
 * Restores a domain with its id, its mailboxes and aliases. The holds, limits and counters are those of the partner's
 * last domain of that name, so that nothing is escaped by deleting, creating and restoring. The verification begins
 * anew.
 */
@needs(
  DomainAdmission,
  DomainRepository,
  VerificationRepository,
  TombstoneRepository,
  TierRepository,
  DeletedItems,
  RestoreAliases,
  StorageQuotaRule,
  JobQueue,
  AuditLog,
  RandomSource,
  DomainOptions,
)
export class RestoreDomain extends RestoreStrategy {
  constructor(
    private readonly admission: DomainAdmission,
    private readonly domains: DomainRepository,
    private readonly verifications: VerificationRepository,
    private readonly tombstones: TombstoneRepository,
    private readonly tiers: TierRepository,
    private readonly deleted: DeletedItems,
    private readonly restoreAliases: RestoreAliases,
    private readonly storageQuota: StorageQuotaRule,
    private readonly jobs: JobQueue,
    private readonly audit: AuditLog,
    private readonly random: RandomSource,
    private readonly options: { ownershipRequired: boolean },
  ) {
    super();
  }

  override async execute(actor: Actor, partner: Partner, item: DeletedItem, now: Date): Promise<Alias[]> {
    const name = item.name as DomainName;
    const ancestors = await this.admission.check(actor, name, partner);
    const kept = await this.tombstones.find(item.id);
    if (kept === null) throw new AppError('deleted_not_found');
    const restoredAt = partner.stampCreation(now);
    await this.deleted.restoreDomain(item, restoredAt);
    const domain = Object.assign(kept.domain, { partnerRef: partner.ref, partnerStage: partner.stage });
    const last = await this.takeOverLast(domain, item, now);
    const parent = kept.domain.parentId === null ? null : linkedParent(kept, partner.id, ancestors);
    const hadOther = item.otherHolderAt !== null;
    const mustProve = hadOther || isProofMissing(last ?? kept);
    const verifiedByParent = parent?.verificationStatus === 'verified' && !mustProve;
    this.link(domain, parent);
    openOrWait(domain, item, verifiedByParent);
    if (hadOther) await this.tombstones.noteHolder(domain, now);
    await this.capLimits(domain);
    domain.revision += 1;
    await this.domains.save(domain);
    await this.jobs.enqueue('limits.mark', { domainId: domain.id });
    await this.startVerification(actor, domain, {
      // The partner's DNS record stays valid when nobody else had the name.
      ownershipToken: (hadOther ? undefined : (last ?? kept).ownership?.token) ?? this.random.hex(20),
      ownershipRequired: mustProve || (last ?? kept).ownership?.required === true || this.options.ownershipRequired,
      verifiedByParent,
    });
    const maxQuotaMb = actor.kind === 'client' ? this.storageQuota.clientMaximum(domain.plan) : null;
    const mailboxes = await this.deleted.restoreMailboxes(item, { restoredAt, maxQuotaMb });
    await this.domains.addToCounts(domain.id, { mailboxes });
    const { restored, leftOut } = await this.restoreAliases.execute(item, restoredAt);
    partner.domainCount += 1;
    await this.audit.append(
      actor,
      now,
      aboutDomain(domain, 'domain.restore', {
        after: { name, mailboxes, aliases: restored, left_out: leftOut.length, inbound: domain.inbound },
      }),
    );
    return leftOut;
  }

  override async stillExists({ name, domainId, partnerId }: DeletedItem): Promise<boolean> {
    const domain = await this.domains.find('all', name as DomainName);
    return domain !== null && domain.id === domainId && domain.partnerId === partnerId;
  }

  /**
   * Takes over the settings and counters of a later domain of the partner with that name, which was deleted too. The
   * restored row must be added before, so that nobody creates the name meanwhile.
   *
   * @returns its tombstone; null without one.
   */
  private async takeOverLast(domain: Domain, item: DeletedItem, now: Date): Promise<Tombstone | null> {
    const { own } = await this.tombstones.ofName(domain.name, domain.partnerId, now);
    // An older one is of a move away: the domain came back with all counters and with newer settings.
    if (own === null || own.id <= item.id) return null;
    const isSuspendedByPartner = domain.suspensionCauses.includes('partner');
    inheritFromTombstone(domain, own);
    if (isSuspendedByPartner) domain.suspensionCauses = withCause(domain.suspensionCauses, 'partner');
    await this.tombstones.handOver(own, domain, now);
    return own;
  }

  private link(domain: Domain, parent: AncestorDomain | null): void {
    domain.parentId = parent?.id ?? null;
    // A domain that is linked to a parent cannot be a wildcard parent.
    if (parent !== null) domain.wildcardMode = 'none';
  }

  /** The operator may have lowered its limits after the deletion. */
  private async capLimits(domain: Domain): Promise<void> {
    const parent = domain.parentId === null ? null : await this.domains.lockById(domain.parentId);
    Object.assign(domain, capClientLimits(domain, parent, await this.tiers.list()));
  }

  private async startVerification(
    actor: Actor,
    { id }: Domain,
    {
      verifiedByParent,
      ...ownership
    }: Pick<Verification, 'ownershipToken' | 'ownershipRequired'> & { verifiedByParent: boolean },
  ): Promise<void> {
    await this.verifications.add(Verification.create({ domainId: id, ...ownership }));
    if (!verifiedByParent) await this.jobs.enqueue('domain.verify', { domainId: id }, { requestId: actor.requestId });
  }
}

/** The former parent when it can still be one, otherwise the wildcard parent that a new domain would get. */
function linkedParent(kept: Tombstone, partnerId: number, ancestors: AncestorDomain[]): AncestorDomain | null {
  return formerParent(kept, partnerId, ancestors) ?? nearestWildcardParent(kept.domain.name, partnerId, ancestors);
}

/**
 * Inbound stays open when no domain had the name since. A domain that was open once is not removed by
 * `ExpirePendingDomains`; one that never was keeps its waiting time, and is announced again before its removal.
 */
function openOrWait(domain: Domain, { heirId, otherHolderAt }: DeletedItem, verifiedByParent: boolean): void {
  const wasOpen = domain.inbound === 'open';
  if (verifiedByParent || (wasOpen && heirId === null && otherHolderAt === null)) domain.openInbound();
  else {
    domain.inbound = 'pending';
    if (wasOpen) domain.pendingSince = null;
    domain.expiryNotifiedAt = null;
  }
}
