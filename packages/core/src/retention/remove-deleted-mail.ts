import { DatabaseClock } from '../clock.js';
import { TOMBSTONE_MS } from '../domains/tombstone.js';
import { AppError } from '../errors.js';
import type { JobCounts } from '../jobs/jobs.js';
import { needs } from '../needs.js';
import { byId, inChunks } from '../page.js';
import { repeatUntilNone } from '../repeat-until-none.js';
import { DeletedRows } from './deleted-rows.js';
import { MailStore } from './mail-store.js';

const ROWS_PER_READ = 100;

/**
 * Removes the data that deletions keep: password hashes, aliases and stored mail after the grace, names and their
 * counters after 90 days. May be interrupted at any point and run again.
 */
@needs(DeletedRows, MailStore, DatabaseClock)
export class RemoveDeletedMail {
  constructor(
    private readonly rows: DeletedRows,
    /** When the store is not configured, the operator removes the stored mail, and this class removes only the rows. */
    private readonly store: MailStore,
    private readonly clock: DatabaseClock,
  ) {}

  async execute(): Promise<JobCounts> {
    const now = await this.clock.time();
    const erased = await repeatUntilNone(() => this.rows.erase(now));
    const deletedUntil = new Date(now.getTime() - TOMBSTONE_MS);
    const names = await repeatUntilNone(() => this.rows.forget(deletedUntil, !this.store.isConfigured));
    const counts = { homes: 0, messages: 0, bytes: 0, failed: 0, erased, names };
    if (!this.store.isConfigured) return counts;
    for await (const { rows } of inChunks(
      byId((page) => this.rows.withMail(now, page)),
      ROWS_PER_READ,
    )) {
      for (const { id } of rows) await this.removeMail(id, now, counts);
    }
    return counts;
  }

  /** Removes the homes of a deletion. A home that cannot be removed now keeps its row, and the next run tries again. */
  private async removeMail(tombstoneId: number, now: Date, counts: MailCounts): Promise<void> {
    const failedBefore = counts.failed;
    for await (const { rows } of inChunks(
      byId((page) => this.rows.homes(tombstoneId, page)),
      ROWS_PER_READ,
    )) {
      for (const { id, email, home } of rows) {
        try {
          const removed = await this.store.removeHome({ email, home });
          await this.rows.forgetHome(tombstoneId, id);
          counts.homes += 1;
          counts.messages += removed.messages;
          counts.bytes += removed.bytes;
        } catch (error) {
          if (!(error instanceof AppError) || error.kind !== 'unavailable') throw error;
          counts.failed += 1;
        }
      }
    }
    if (counts.failed === failedBefore) await this.rows.noteMailRemoved(tombstoneId, now);
  }
}

interface MailCounts {
  homes: number;
  messages: number;
  bytes: number;
  failed: number;
}
