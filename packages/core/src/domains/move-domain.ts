import { AliasRepository } from '../aliases/alias-repository.js';
import { aboutDomain } from '../audit/about-domain.js';
import { AuditLog } from '../audit/audit-log.js';
import { DatabaseClock } from '../clock.js';
import { AppError } from '../errors.js';
import { JobQueue } from '../jobs/jobs.js';
import { RevokeSessions } from '../mail-sessions/revoke-sessions.js';
import { needs } from '../needs.js';
import type { Actor } from '../operators/actor.js';
import { raiseRevision } from '../operators/revision.js';
import type { Partner, PartnerRef } from '../partners/partner.js';
import { PartnerRepository } from '../partners/partner-repository.js';
import { OwnVerification } from '../relay/own-verification.js';
import { LEAVES_AFTER_MS, Tenants } from '../relay/tenants/tenants.js';
import { VerificationRepository } from '../relay/verification-repository.js';
import { UnitOfWork } from '../unit-of-work.js';
import type { Domain } from './domain.js';
import { DomainLocks } from './domain-locks.js';
import type { DomainName } from './domain-name.js';
import { DomainRepository } from './domain-repository.js';
import { LinksOfDomain } from './links-of-domain.js';
import { ReleaseChildren } from './release-children.js';
import { TombstoneRepository } from './tombstone-repository.js';

/** The maximum number of aliases that the refusal lists. */
const LISTED_ALIASES = 20;

/**
 * Moves a domain to another partner, or to none. Its links to a parent and to children are removed, and so are the
 * former partner's references of the domain and its mailboxes, and what operators told it about stops.
 */
@needs(
  UnitOfWork,
  DomainLocks,
  PartnerRepository,
  DomainRepository,
  AliasRepository,
  VerificationRepository,
  LinksOfDomain,
  TombstoneRepository,
  ReleaseChildren,
  OwnVerification,
  Tenants,
  RevokeSessions,
  JobQueue,
  AuditLog,
  DatabaseClock,
)
export class MoveDomain {
  constructor(
    private readonly unitOfWork: UnitOfWork,
    private readonly locks: DomainLocks,
    private readonly partners: PartnerRepository,
    private readonly domains: DomainRepository,
    private readonly aliases: AliasRepository,
    private readonly verifications: VerificationRepository,
    private readonly links: LinksOfDomain,
    private readonly tombstones: TombstoneRepository,
    private readonly releaseChildren: ReleaseChildren,
    private readonly ownVerification: OwnVerification,
    private readonly tenants: Tenants,
    private readonly revokeSessions: RevokeSessions,
    private readonly jobs: JobQueue,
    private readonly audit: AuditLog,
    private readonly clock: DatabaseClock,
  ) {}

  /** @throws AppError domain_not_found, changed_meanwhile, domain_has_foreign_aliases */
  execute(actor: Actor, name: DomainName, partnerRef: PartnerRef | null): Promise<Domain> {
    return this.unitOfWork.run(async () => {
      const { partner: source, target, domain } = await this.locks.domainAndTarget(actor, name, partnerRef);
      if (target.id === source.id) return domain;
      raiseRevision(actor, domain);
      await this.refuseCrossingAliases(domain);
      const now = await this.clock.time();
      // If the former partner creates the name again, its limits and counters are restored from this tombstone.
      await this.tombstones.keepMoved(domain, actor, now);
      await this.releaseChildren.execute(domain, now);
      if (domain.parentId !== null) {
        domain.unlink((await this.verifications.find(domain.parentId))?.status === 'verified', now);
        await this.ownVerification.start(domain.id, now);
        await this.jobs.enqueue('limits.mark', { domainId: domain.id });
      }
      const formerRef = domain.externalRef;
      domain.externalRef = null;
      domain.stopMessages = {};
      domain.partnerId = target.id;
      domain.partnerRef = target.ref;
      domain.heldSince = now;
      domain.partnerStage = target.stage;
      if (target.stage === 'all') await this.revokeSessions.of(name, domain.id, actor);
      // The new partner gets the whole time after the notification before a domain that was never open is removed.
      domain.expiryNotifiedAt = null;
      await this.domains.save(domain);
      await this.domains.moveContents(domain);
      await this.changeTenant(domain, source, now);
      await this.links.removeOfDomain(domain.id);
      await this.tombstones.noteHolder(domain, now);
      source.domainCount -= 1;
      target.domainCount += 1;
      await this.partners.save(source);
      await this.partners.save(target);
      await this.writeRows(actor, domain, { former: source, formerRef }, now);
      return domain;
    });
  }

  /** Mail of the domain names no tenant until its identity has joined that of the new partner. */
  private async changeTenant(domain: Domain, { id: formerPartnerId }: Partner, now: Date): Promise<void> {
    const leaveAt = new Date(now.getTime() + LEAVES_AFTER_MS);
    if (!(await this.tenants.noteMove(domain, formerPartnerId, leaveAt))) return;
    await this.jobs.enqueue('identities.align', { afterPartnerId: 0 }, { key: 'identities.align' });
  }

  /**
   * A row for each side. Each partner sees its own row as an event, so neither row names the other partner, and that of
   * the former one has the reference that the domain had.
   */
  private async writeRows(
    actor: Actor,
    domain: Domain,
    { former: { id, ref }, formerRef }: { former: Partner; formerRef: string | null },
    now: Date,
  ): Promise<void> {
    const former = { id: domain.id, name: domain.name, partnerId: id, partnerRef: ref };
    const before = { partner_ref: ref, ...(formerRef === null ? {} : { external_ref: formerRef }) };
    const left = aboutDomain(former, 'domain.move', { before });
    const joined = aboutDomain(domain, 'domain.move', { after: { partner_ref: domain.partnerRef } });
    await this.audit.appendAll(actor, now, [left, joined]);
  }

  private async refuseCrossingAliases(domain: Domain): Promise<void> {
    const crossing = await this.aliases.crossing(domain.id, LISTED_ALIASES);
    if (crossing.length === 0) return;
    const aliases = crossing.map(({ id, address, destination }) => ({ id, address, destination }));
    const list = aliases.map(({ address, destination }) => `${address} → ${destination}`).join(', ');
    throw new AppError('domain_has_foreign_aliases', {
      detail: `These aliases would deliver across partners; delete them first: ${list}`,
      members: { aliases },
    });
  }
}
