import { DatabaseClock, utcMonth } from '../clock.js';
import type { JobCounts } from '../jobs/jobs.js';
import type { RunInProgress } from '../jobs/schedules.js';
import { needs } from '../needs.js';
import { repeatUntilNone } from '../repeat-until-none.js';
import { UsageLedger } from './usage-ledger.js';

/** Small, so that a change of a domain does not wait long for the locks of one chunk. */
const DOMAINS_PER_CHUNK = 500;
/** The ended months of which rows are kept. */
const USAGE_MONTHS = 15;
const PURGED_PER_CHUNK = 2_000;

/**
 * Closes the ended days of all domains that were not changed since, also of days that earlier runs missed. Then deletes
 * the rows of months that ended long ago. May be interrupted, and run by several workers at once.
 */
@needs(UsageLedger, DatabaseClock)
export class SnapshotUsage {
  constructor(
    private readonly ledger: UsageLedger,
    private readonly clock: DatabaseClock,
  ) {}

  async execute(run: Pick<RunInProgress, 'cursor' | 'save'>): Promise<JobCounts> {
    const counts = { domains: 0, days: 0 };
    for (let after: number | null = run.cursor; after !== null; ) {
      const chunk = await this.ledger.closeEndedDays(after, DOMAINS_PER_CHUNK, await this.clock.time());
      counts.domains += chunk.domains;
      counts.days += chunk.days;
      after = chunk.last;
      if (after !== null) await run.save(after);
    }
    const oldest = oldestKept(await this.clock.time());
    return { ...counts, purged: await repeatUntilNone(() => this.ledger.deleteBefore(oldest, PURGED_PER_CHUNK)) };
  }
}

function oldestKept(now: Date): string {
  return utcMonth(new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() - USAGE_MONTHS, 1)));
}
