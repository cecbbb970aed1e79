import { aboutDomain } from '../audit/about-domain.js';
import { AuditLog } from '../audit/audit-log.js';
import type { AuditAction } from '../audit/event-types.js';
import { DAY_MS, DatabaseClock } from '../clock.js';
import { JobQueue } from '../jobs/jobs.js';
import { needs } from '../needs.js';
import type { Actor } from '../operators/actor.js';
import { PartnerRepository } from '../partners/partner-repository.js';
import { UnitOfWork } from '../unit-of-work.js';
import { ORPHAN_GRACE_MS } from './domain.js';
import { DomainLocks, type LockedDomain } from './domain-locks.js';
import type { DomainName } from './domain-name.js';
import { DomainOptions } from './domain-options.js';
import { ReleaseChildren } from './release-children.js';
import { TombstoneRepository } from './tombstone-repository.js';

/**
 * Deletes a domain with its mailboxes and aliases. A copy of the rows and the stored mail are kept for
 * `deletedMailGraceDays`. The partner that had the name is stored for 90 days.
 */
@needs(
  UnitOfWork,
  DomainLocks,
  PartnerRepository,
  TombstoneRepository,
  ReleaseChildren,
  JobQueue,
  AuditLog,
  DatabaseClock,
  DomainOptions,
)
export class DeleteDomain {
  constructor(
    private readonly unitOfWork: UnitOfWork,
    private readonly locks: DomainLocks,
    private readonly partners: PartnerRepository,
    private readonly tombstones: TombstoneRepository,
    private readonly releaseChildren: ReleaseChildren,
    private readonly jobs: JobQueue,
    private readonly audit: AuditLog,
    private readonly clock: DatabaseClock,
    private readonly options: { deletedMailGraceDays: number },
  ) {}

  /** @throws AppError domain_not_found */
  async execute(actor: Actor, name: DomainName): Promise<void> {
    await this.unitOfWork.run(async () => {
      const locked = await this.locks.domain(actor, name);
      await this.deleteLocked(actor, locked, await this.clock.time(), 'domain.delete');
    });
  }

  /**
   * Deletes a domain in the caller's unit of work, in which it is locked.
   * @param action the action in the audit row.
   */
  async deleteLocked(actor: Actor, { partner, domain }: LockedDomain, now: Date, action: AuditAction): Promise<void> {
    const { name } = domain;
    const children = await this.releaseChildren.execute(domain, now);
    const expiresAt = new Date(now.getTime() + this.options.deletedMailGraceDays * DAY_MS);
    await this.tombstones.moveDomainAside(domain, { actor, at: now, expiresAt });
    partner.domainCount -= 1;
    await this.partners.save(partner);
    // The former children send with this domain's identity at the provider as long as they count as verified.
    const runAt = children > 0 ? new Date(now.getTime() + ORPHAN_GRACE_MS) : now;
    await this.jobs.enqueue('identity.delete', { domainId: domain.id, name }, { runAt });
    await this.audit.append(
      actor,
      now,
      aboutDomain(domain, action, { before: { name, mailboxes: domain.mailboxCount, aliases: domain.aliasCount } }),
    );
  }
}
