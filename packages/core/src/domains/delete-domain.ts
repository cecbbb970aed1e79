import { aboutDomain } from '../audit/about-domain.js';
import { AuditLog } from '../audit/audit-log.js';
import type { AuditAction } from '../audit/event-types.js';
import { DAY_MS, DatabaseClock } from '../clock.js';
import { JobQueue } from '../jobs/jobs.js';
import { RevokeSessions } from '../mail-sessions/revoke-sessions.js';
import { needs } from '../needs.js';
import { type Actor, scopeOf } from '../operators/actor.js';
import { UnitOfWork } from '../unit-of-work.js';
import { DomainLocks, type LockedDomain } from './domain-locks.js';
import type { DomainName } from './domain-name.js';
import { DomainOptions } from './domain-options.js';
import { DomainRepository } from './domain-repository.js';
import { FinishDeletion } from './finish-deletion.js';
import { TombstoneRepository } from './tombstone-repository.js';

/** A domain with more mailboxes and aliases is deleted in pieces. */
const ROWS_AT_ONCE = 500;
/** The job that finishes an interrupted deletion leaves the request this time to do it itself. */
const REQUEST_MS = 10_000;

/**
 * Deletes a domain with its mailboxes and aliases. A copy of the rows and the stored mail are kept for
 * `deletedMailGraceDays`. The partner that had the name is stored for 90 days.
 *
 * A large domain is deleted in pieces: the first transaction decides, so that from its commit on the domain and what is
 * in it cannot be changed; the pieces follow, and with the last one the domain leaves its partner's count and its name
 * is free. A job finishes what was interrupted.
 */
@needs(
  UnitOfWork,
  DomainLocks,
  DomainRepository,
  TombstoneRepository,
  FinishDeletion,
  RevokeSessions,
  JobQueue,
  AuditLog,
  DatabaseClock,
  DomainOptions,
)
export class DeleteDomain {
  constructor(
    private readonly unitOfWork: UnitOfWork,
    private readonly locks: DomainLocks,
    private readonly domains: DomainRepository,
    private readonly tombstones: TombstoneRepository,
    private readonly finishDeletion: FinishDeletion,
    private readonly revokeSessions: RevokeSessions,
    private readonly jobs: JobQueue,
    private readonly audit: AuditLog,
    private readonly clock: DatabaseClock,
    private readonly options: { deletedMailGraceDays: number },
  ) {}

  /**
   * Returns when no row of the domain is left. A repeated call finishes what an interrupted one began.
   * @throws AppError domain_not_found
   */
  async execute(actor: Actor, name: DomainName): Promise<void> {
    const begun = await this.unitOfWork.run(async () => {
      const unfinished = await this.domains.beingDeleted(scopeOf(actor), name);
      if (unfinished !== null) return unfinished;
      const locked = await this.locks.domain(actor, name);
      return this.deleteLocked(actor, locked, await this.clock.time(), 'domain.delete');
    });
    if (begun !== null) await this.finishDeletion.execute(begun);
  }

  /**
   * Deletes a domain in the caller's unit of work, in which it is locked.
   * @param action the action in the audit row.
   * @returns the id of a large domain, whose deletion has only begun: the caller finishes it after the commit with
   * `FinishDeletion`, or leaves it to the job; otherwise null.
   */
  async deleteLocked(actor: Actor, locked: LockedDomain, now: Date, action: AuditAction): Promise<number | null> {
    const { domain } = locked;
    const { id, name, mailboxCount, aliasCount } = domain;
    const expiresAt = new Date(now.getTime() + this.options.deletedMailGraceDays * DAY_MS);
    const deletion = { actor, at: now, expiresAt };
    const isLarge = mailboxCount + aliasCount > ROWS_AT_ONCE;
    if (mailboxCount > 0) await this.revokeSessions.of(name, id, actor);
    if (isLarge) {
      await this.tombstones.beginDeletion(domain, deletion);
      const runAt = new Date(now.getTime() + REQUEST_MS);
      await this.jobs.enqueue('domain.delete', { domainId: id }, { runAt, requestId: actor.requestId });
    } else {
      await this.finishDeletion.remove(locked, now, () => this.tombstones.moveDomainAside(domain, deletion));
    }
    const before = { name, mailboxes: mailboxCount, aliases: aliasCount };
    await this.audit.append(actor, now, aboutDomain(domain, action, { before }));
    return isLarge ? id : null;
  }
}
