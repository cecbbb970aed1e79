import { aboutDomain } from '../audit/about-domain.js';
import { AuditLog } from '../audit/audit-log.js';
import { DatabaseClock } from '../clock.js';
import { AppError } from '../errors.js';
import { JobQueue } from '../jobs/jobs.js';
import { runKey } from '../jobs/run-requested.js';
import { needs } from '../needs.js';
import { type Actor, scopeOf } from '../operators/actor.js';
import { DeletedRows } from '../retention/deleted-rows.js';
import { UnitOfWork } from '../unit-of-work.js';
import { domainOf } from './decide-aliases.js';
import { type DeletedItem, isOwnStill } from './deleted-item.js';
import { DeletedItems } from './deleted-items.js';

const REMOVAL = 'deleted-mail.remove';

/**
 * Ends the grace of a deletion: erases its hashes and aliases, and requests the removal of its mail, which removes the
 * rows of the mailboxes too. The history of the name stays. A repeated call finishes what an interrupted one began.
 */
@needs(UnitOfWork, DeletedItems, DeletedRows, JobQueue, AuditLog, DatabaseClock)
export class EraseDeleted {
  constructor(
    private readonly unitOfWork: UnitOfWork,
    private readonly deleted: DeletedItems,
    private readonly rows: DeletedRows,
    private readonly jobs: JobQueue,
    private readonly audit: AuditLog,
    private readonly clock: DatabaseClock,
  ) {}

  /** @throws AppError deleted_not_found */
  async execute(actor: Actor, id: number): Promise<void> {
    const now = await this.clock.time();
    const isErased = await this.unitOfWork.run(async () => {
      const scope = scopeOf(actor);
      const item = await this.deleted.lock(scope, id);
      if (item === null || !isOwnStill(item, scope)) throw new AppError('deleted_not_found');
      if (item.erasedAt !== null) return true;
      await this.jobs.enqueue('schedule.run', { name: REMOVAL }, { key: runKey(REMOVAL), requestId: actor.requestId });
      if (item.closedAt === null) {
        await this.deleted.close(item, now);
        await this.note(actor, item, now);
      }
      return false;
    });
    if (!isErased) await this.rows.eraseOne(id, now);
  }

  private async note(
    actor: Actor,
    { kind, name, partnerId, partnerRef, domainId, mailboxes, aliases }: DeletedItem,
    now: Date,
  ): Promise<void> {
    const domain = { id: domainId, name: kind === 'domain' ? name : domainOf(name), partnerId, partnerRef };
    const before = { mailboxes, aliases };
    await this.audit.append(actor, now, aboutDomain(domain, `${kind}.erase`, { subject: name, before }));
  }
}
