import type { JobCounts } from './jobs.js';

export type RunOutcome = 'running' | 'done' | 'failed';

export interface LedgerRun {
  name: string;
  /** The key of the period; for a requested run `requestedPeriod`. */
  period: string;
  outcome: RunOutcome;
  startedAt: Date;
  endedAt: Date | null;
  /** The number of attempts, with the one that runs now; 0 for a skipped period. */
  attempts: number;
  /** Why the last attempt failed. */
  reason: string | null;
  counts: JobCounts | null;
  /** The progress that a resumable run saved; 0 when it saved nothing. */
  cursor: number;
}

/** The keys of requested runs begin with it. It sorts after the keys of periods, which begin with a year. */
export const REQUESTED = 'manual/';

/**
 * The key of a run that an operator requested, in place of a period. Keys of later requests are greater.
 *
 * @param jobId the job that carries out the request
 */
export function requestedPeriod(jobId: number): string {
  return `${REQUESTED}${String(jobId).padStart(16, '0')}`;
}

export function isRequested({ period }: Pick<LedgerRun, 'period'>): boolean {
  return period.startsWith(REQUESTED);
}

/** The key of one period of each schedule, by the name of the schedule. */
export type PeriodKeys = ReadonlyMap<string, string>;

/** A period in the future, which a process with a wrong clock began. */
export type FuturePeriod = Pick<LedgerRun, 'name' | 'period'>;

/** Identifies one attempt at one period. */
export type RunAttempt = Pick<LedgerRun, 'name' | 'period' | 'attempts'>;

/**
 * The run ledger has one row for each period of a schedule, with its outcome and its counts. A period runs once. It
 * runs again only after a crash or a failure. A requested run has its own row and does not count for any period.
 */
export abstract class RunLedger {
  /**
   * Begins an attempt at a period, with a lease of `leaseMs`. When several processes call it at once, on any node of
   * the database, only one gets the attempt.
   *
   * @returns the run, with the cursor of an earlier attempt. Null when the period is done, another process runs it, its
   * next attempt is not due, or it failed `maxAttempts` times.
   */
  abstract begin(
    name: string,
    period: string,
    now: Date,
    leaseMs: number,
    maxAttempts: number,
  ): Promise<LedgerRun | null>;
  /**
   * Begins the next attempt at a requested run, also when the lease of an earlier attempt has not ended: the caller
   * holds the claim of its job, which no other process has. @returns null when the run is done.
   */
  abstract beginRequested(name: string, period: string, now: Date, leaseMs: number): Promise<LedgerRun | null>;
  /**
   * In the caller's unit of work: other callers with this schedule wait for its end, or their unit of work runs again
   * (on another node of the database).
   */
  abstract lockRequested(name: string, period: string): Promise<void>;
  /** Whether another run of the schedule, of a period or requested, holds a lease now. */
  abstract isRunning(name: string, exceptPeriod: string, now: Date): Promise<boolean>;
  /**
   * Saves the cursor and extends the lease. This method and the next four change nothing when the attempt has ended, or
   * when its lease ended and another process began the next attempt.
   */
  abstract save(run: RunAttempt, cursor: number, leasedUntil: Date): Promise<void>;
  /** Extends the lease. */
  abstract renew(run: RunAttempt, leasedUntil: Date): Promise<void>;
  abstract complete(run: RunAttempt, counts: JobCounts, now: Date): Promise<void>;
  /** Stores the reason; the next attempt may begin at `retryAt`. */
  abstract fail(run: RunAttempt, reason: string, now: Date, retryAt: Date): Promise<void>;
  /** Like `fail`, but the attempt is not counted. */
  abstract postpone(run: RunAttempt, reason: string, now: Date, retryAt: Date): Promise<void>;
  /**
   * Stores the first period of a schedule as done without running it. Does nothing when the schedule has this period or
   * an earlier one already.
   */
  abstract skip(name: string, period: string, now: Date): Promise<void>;
  abstract find(name: string, period: string): Promise<LedgerRun | null>;
  /** The run with the newest period of each schedule up to its key in `until`, by name, without requested runs. */
  abstract newest(until: PeriodKeys): Promise<Map<string, LedgerRun>>;
  /**
   * The run of each schedule that began last, a period up to its key in `until` or requested, by name. Skipped periods
   * count only without any other run.
   */
  abstract last(until: PeriodKeys): Promise<Map<string, LedgerRun>>;
  /** When a run of each schedule was last done, requested or not, by name. Times after `now` are ignored. */
  abstract lastDone(now: Date): Promise<Map<string, Date>>;
  /** The runs of periods after the key of their schedule in `after`, without requested runs. */
  abstract future(after: PeriodKeys): Promise<FuturePeriod[]>;
  /**
   * For many callers at once, true for exactly one: a period in the future is reported once. True again for a later
   * period, and after `forgetFuture`. Must run in a unit of work with the report.
   */
  abstract claimFutureReport(period: string): Promise<boolean>;
  /**
   * Deletes the runs of periods after the key of their schedule in `after`, and on the embedded database the time of
   * the last write. @returns the number of deleted runs
   */
  abstract forgetFuture(after: PeriodKeys): Promise<number>;
  /**
   * Deletes runs that began before `before`, at most `limit`. Keeps of each schedule the run with the newest period,
   * the last requested run and the last run that was done. @returns the number of deleted rows
   */
  abstract deleteOld(before: Date, limit: number): Promise<number>;
}
