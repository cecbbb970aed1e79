import { DatabaseClock } from '../clock.js';
import type { JobCounts } from '../jobs/jobs.js';
import type { RunInProgress } from '../jobs/schedules.js';
import { needs } from '../needs.js';
import { UsageLedger } from './usage-ledger.js';
import { CLOSE_MARGIN_MS, nextMonth, oldestMonthWithDays } from './usage-month.js';

/** A name has about 31 rows in a month, so one transaction deletes about 3,100. */
const NAMES_PER_CHUNK = 100;

/**
 * Replaces the days of months that have been closed for three months by the rows of their report. May be interrupted,
 * and run by several workers at once.
 */
@needs(UsageLedger, DatabaseClock)
export class SumMonths {
  constructor(
    private readonly ledger: UsageLedger,
    private readonly clock: DatabaseClock,
  ) {}

  async execute(run: Pick<RunInProgress, 'cursor' | 'save'>): Promise<JobCounts> {
    let replaced = 0;
    const now = await this.clock.time();
    // Later than the API, whose clock may be behind: it must not answer that a day is empty.
    const end = oldestMonthWithDays(new Date(now.getTime() - CLOSE_MARGIN_MS));
    const first = await this.ledger.oldestMonthOfDays();
    for (let month = first ?? end; month < end; month = nextMonth(month)) {
      for (let rows = Number.NaN; rows !== 0; replaced += rows) {
        rows = await this.ledger.sumDays(month, NAMES_PER_CHUNK, now);
        // Extends the lease. Nothing is to be remembered: what is left are the rows of days.
        await run.save(run.cursor);
      }
    }
    return { replaced };
  }
}
