import { aboutDomain } from '../audit/about-domain.js';
import { AuditLog } from '../audit/audit-log.js';
import { DAY_MS, DatabaseClock, zonelessTime } from '../clock.js';
import { AppError } from '../errors.js';
import type { JobCounts } from '../jobs/jobs.js';
import { needs } from '../needs.js';
import { Notifier } from '../notifications/notifier.js';
import { systemActor } from '../operators/actor.js';
import { byId, inChunks } from '../page.js';
import { isEffectivelyVerified } from '../relay/verification.js';
import { VerificationRepository } from '../relay/verification-repository.js';
import { UnitOfWork } from '../unit-of-work.js';
import { DeleteDomain } from './delete-domain.js';
import type { Domain } from './domain.js';
import { DomainLocks, type LockedDomain } from './domain-locks.js';
import type { DomainName } from './domain-name.js';
import { DomainOptions } from './domain-options.js';
import { DomainRepository } from './domain-repository.js';

const ACTOR = systemActor('pending-domains');
/** Operators are notified at least this long before a domain is removed. */
const NOTICE_MS = 7 * DAY_MS;
const DOMAINS_PER_READ = 200;

type Listed = { id: number; name: DomainName };

/**
 * Removes clients' domains that were never open, and notifies the operators before. While a partner is suspended, in
 * any stage, its domains are neither removed nor announced, and an announcement is withdrawn: the partner gets the
 * whole notice again after its activation. Each domain is one unit of work, so the run may be interrupted at any point
 * and run again.
 */
@needs(
  UnitOfWork,
  DomainLocks,
  DomainRepository,
  VerificationRepository,
  DeleteDomain,
  Notifier,
  AuditLog,
  DatabaseClock,
  DomainOptions,
)
export class ExpirePendingDomains {
  constructor(
    private readonly unitOfWork: UnitOfWork,
    private readonly locks: DomainLocks,
    private readonly domains: DomainRepository,
    private readonly verifications: VerificationRepository,
    private readonly deleteDomain: DeleteDomain,
    private readonly notifier: Notifier,
    private readonly audit: AuditLog,
    private readonly clock: DatabaseClock,
    private readonly options: { pendingDomainMs: number },
  ) {}

  /** @throws the first error of a domain, after all other domains were handled. */
  async execute(): Promise<JobCounts> {
    const { pendingDomainMs } = this.options;
    if (pendingDomainMs === 0) return { skipped: 1 };
    const now = await this.clock.time();
    const before = (ms: number) => new Date(now.getTime() - ms);
    const errors: unknown[] = [];
    const removed = await this.forEach(
      (page) => this.domains.neverOpen(before(pendingDomainMs), before(NOTICE_MS), page),
      (listed) => this.remove(listed, now),
      errors,
    );
    const announced = await this.forEach(
      (page) => this.domains.neverOpen(before(Math.max(0, pendingDomainMs - NOTICE_MS)), null, page),
      (listed) => this.announce(listed, now),
      errors,
    );
    if (errors.length > 0) throw errors[0];
    return { removed, announced };
  }

  private async forEach(
    read: (page: { after: number; limit: number }) => Promise<Listed[]>,
    handle: (listed: Listed) => Promise<boolean>,
    errors: unknown[],
  ): Promise<number> {
    let handled = 0;
    for await (const { rows } of inChunks(byId(read), DOMAINS_PER_READ)) {
      for (const listed of rows) {
        try {
          if (await handle(listed)) handled += 1;
        } catch (error) {
          errors.push(error);
        }
      }
    }
    return handled;
  }

  private remove(listed: Listed, now: Date): Promise<boolean> {
    return this.ifStillNeverOpen(listed, now, async (locked) => {
      const { domain } = locked;
      const { pendingSince, expiryNotifiedAt } = domain;
      if (pendingSince === null || expiryNotifiedAt === null || domain.billingRef !== null) return false;
      if (now.getTime() < this.expiresAt(pendingSince, expiryNotifiedAt).getTime()) return false;
      if (locked.partner.stage !== null) return this.withdraw(domain);
      await this.deleteDomain.deleteLocked(ACTOR, locked, now, 'domain.expired');
      await this.notifier.notify('domain.expired', domain, now, {
        pending_since: zonelessTime(pendingSince),
        mailboxes: domain.mailboxCount,
        aliases: domain.aliasCount,
      });
      return true;
    });
  }

  private announce(listed: Listed, now: Date): Promise<boolean> {
    return this.ifStillNeverOpen(listed, now, async ({ domain, partner }) => {
      if (domain.pendingSince === null || domain.expiryNotifiedAt !== null || partner.stage !== null) return false;
      if (domain.billingRef !== null) return false;
      domain.expiryNotifiedAt = now;
      await this.domains.save(domain);
      const shown = {
        pending_since: zonelessTime(domain.pendingSince),
        expires_at: zonelessTime(this.expiresAt(domain.pendingSince, now)),
      };
      await this.audit.append(ACTOR, now, aboutDomain(domain, 'domain.expiring', { after: shown }));
      await this.notifier.notify('domain.expiring', domain, now, shown);
      return true;
    });
  }

  private async withdraw(domain: Domain): Promise<false> {
    domain.expiryNotifiedAt = null;
    await this.domains.save(domain);
    return false;
  }

  private expiresAt(pendingSince: Date, notifiedAt: Date): Date {
    return new Date(Math.max(pendingSince.getTime() + this.options.pendingDomainMs, notifiedAt.getTime() + NOTICE_MS));
  }

  /**
   * Locks the domain and reads it again: it may have been opened, deleted, created again or moved since it was listed.
   */
  private ifStillNeverOpen(
    { id, name }: Listed,
    now: Date,
    work: (locked: LockedDomain) => Promise<boolean>,
  ): Promise<boolean> {
    return this.unitOfWork.run(async () => {
      const locked = await this.lock(name);
      if (locked === null || locked.domain.id !== id || !(await this.isNeverOpen(locked.domain, now))) return false;
      return work(locked);
    });
  }

  private async lock(name: DomainName): Promise<LockedDomain | null> {
    try {
      return await this.locks.domain(ACTOR, name);
    } catch (error) {
      if (error instanceof AppError && error.code === 'domain_not_found') return null;
      throw error;
    }
  }

  private async isNeverOpen({ id, inbound, parentId, inheritedUntil }: Domain, now: Date): Promise<boolean> {
    if (inbound === 'open') return false;
    const own = await this.verifications.find(id);
    if (own === null || own.verifiedAt !== null || own.ownershipSeenAt !== null) return false;
    const parent = parentId === null ? null : await this.verifications.find(parentId);
    return !isEffectivelyVerified(own, parent, inheritedUntil, now);
  }
}
