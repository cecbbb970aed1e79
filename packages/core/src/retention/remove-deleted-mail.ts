import { type Clock, DAY_MS } from '../clock.js';
import { TOMBSTONE_MS, type TombstoneRepository } from '../domains/tombstone.js';
import { AppError } from '../errors.js';
import type { JobCounts } from '../jobs.js';
import type { MailStore } from './mail-store.js';

const HOMES_PER_READ = 100;

/** Removes the stored mail of mailboxes that were deleted longer ago than the grace, and forgets old names. */
export class RemoveDeletedMail {
  constructor(
    private readonly tombstones: TombstoneRepository,
    private readonly store: MailStore,
    private readonly clock: Clock,
    private readonly options: { deletedMailGraceDays: number },
  ) {}

  /** A home that cannot be removed now keeps its tombstone and is tried again by the next run. */
  async execute(): Promise<JobCounts> {
    const now = this.clock.now().getTime();
    const before = new Date(now - this.options.deletedMailGraceDays * DAY_MS);
    const counts: JobCounts = { homes: 0, messages: 0, bytes: 0, failed: 0, names: 0 };
    for (let after = 0; ; ) {
      const homes = await this.tombstones.buriedMailboxes(before, { after, limit: HOMES_PER_READ });
      for (const { id, email, home } of homes) {
        try {
          const removed = await this.store.removeHome({ email, home });
          await this.tombstones.forgetMailbox(id);
          counts.homes = (counts.homes ?? 0) + 1;
          counts.messages = (counts.messages ?? 0) + removed.messages;
          counts.bytes = (counts.bytes ?? 0) + removed.bytes;
        } catch (error) {
          if (!(error instanceof AppError) || error.kind !== 'unavailable') throw error;
          counts.failed = (counts.failed ?? 0) + 1;
        }
      }
      const last = homes.at(-1);
      if (last === undefined || homes.length < HOMES_PER_READ) break;
      after = last.id;
    }
    counts.names = await this.tombstones.forgetNames(new Date(now - TOMBSTONE_MS));
    return counts;
  }
}
