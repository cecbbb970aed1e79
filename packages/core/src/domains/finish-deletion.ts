import { DatabaseClock } from '../clock.js';
import { JobQueue } from '../jobs/jobs.js';
import { RevokeSessions } from '../mail-sessions/revoke-sessions.js';
import { needs } from '../needs.js';
import { PartnerRepository } from '../partners/partner-repository.js';
import { UnitOfWork } from '../unit-of-work.js';
import { ORPHAN_GRACE_MS } from './domain.js';
import { DomainLocks, type LockedDomain } from './domain-locks.js';
import { ReleaseChildren } from './release-children.js';
import { TombstoneRepository } from './tombstone-repository.js';

/**
 * Finishes the deletion of a domain that has begun. Each piece is one unit of work, so that other changes of the
 * partner wait for one piece only. May be interrupted at any point and run again, and several processes may run it at
 * once.
 */
@needs(
  UnitOfWork,
  DomainLocks,
  PartnerRepository,
  TombstoneRepository,
  ReleaseChildren,
  RevokeSessions,
  JobQueue,
  DatabaseClock,
)
export class FinishDeletion {
  constructor(
    private readonly unitOfWork: UnitOfWork,
    private readonly locks: DomainLocks,
    private readonly partners: PartnerRepository,
    private readonly tombstones: TombstoneRepository,
    private readonly releaseChildren: ReleaseChildren,
    private readonly revokeSessions: RevokeSessions,
    private readonly jobs: JobQueue,
    private readonly clock: DatabaseClock,
  ) {}

  /** @returns the number of pieces that this call moved; 0 when the deletion was finished before. */
  async execute(domainId: number): Promise<number> {
    let pieces = 0;
    while (await this.movePiece(domainId)) pieces += 1;
    return pieces;
  }

  /** @returns whether there may be another piece. */
  private movePiece(domainId: number): Promise<boolean> {
    return this.unitOfWork.run(async () => {
      const locked = await this.locks.beingDeleted(domainId);
      const now = await this.clock.time();
      if (locked === null) {
        await this.tombstones.endDeletion(domainId, null, now);
        return false;
      }
      const moved = await this.tombstones.movePiece(locked.domain);
      if (moved === 0) {
        // Until its piece was moved, a mailbox could log in.
        await this.revokeSessions.of(locked.domain.name, domainId, { requestId: null });
        await this.remove(locked, now, () => this.tombstones.endDeletion(domainId, locked.domain, now));
      }
      return moved !== null && moved > 0;
    });
  }

  /**
   * Removes a domain in the caller's unit of work, in which it is locked.
   * @param move moves its rows to the deleted ones.
   */
  async remove({ partner, domain }: LockedDomain, now: Date, move: () => Promise<void>): Promise<void> {
    const children = await this.releaseChildren.execute(domain, now);
    await move();
    partner.domainCount -= 1;
    await this.partners.save(partner);
    // The former children send with this domain's identity at the provider as long as they count as verified.
    const runAt = children > 0 ? new Date(now.getTime() + ORPHAN_GRACE_MS) : now;
    await this.jobs.enqueue('identity.delete', { domainId: domain.id, name: domain.name }, { runAt });
  }
}
