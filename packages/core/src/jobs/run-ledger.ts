import type { JobCounts } from './jobs.js';

export type RunOutcome = 'running' | 'done' | 'failed';

export interface LedgerRun {
  name: string;
  /** The key of the period. */
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

/** Identifies one attempt at one period. */
export type RunAttempt = Pick<LedgerRun, 'name' | 'period' | 'attempts'>;

/**
 * The run ledger has one row for each period of a schedule, with its outcome and its counts. A period runs once. It runs
 * again only after a crash or a failure.
 */
export abstract class RunLedger {
  /**
   * Begins an attempt at a period, with a lease of `leaseMs`. When several processes call it at once, on any node of the
   * database, only one gets the attempt.
   *
   * @returns the run, with the cursor of an earlier attempt. Null when the period is done, another process runs it, its next
   * attempt is not due, or it failed `maxAttempts` times.
   */
  abstract begin(
    name: string,
    period: string,
    now: Date,
    leaseMs: number,
    maxAttempts: number,
  ): Promise<LedgerRun | null>;
  /**
   * Saves the cursor and extends the lease. This method and the next four change nothing when the attempt has ended, or when
   * its lease ended and another process began the next attempt.
   */
  abstract save(run: RunAttempt, cursor: number, leasedUntil: Date): Promise<void>;
  /** Extends the lease. */
  abstract renew(run: RunAttempt, leasedUntil: Date): Promise<void>;
  abstract complete(run: RunAttempt, counts: JobCounts, now: Date): Promise<void>;
  /** Stores the reason; the next attempt may begin at `retryAt`. */
  abstract fail(run: RunAttempt, reason: string, now: Date, retryAt: Date): Promise<void>;
  /** Like `fail`, but the attempt is not counted. */
  abstract postpone(run: RunAttempt, reason: string, now: Date, retryAt: Date): Promise<void>;
  /** Stores a period as done without running it, unless it has a row. */
  abstract skip(name: string, period: string, now: Date): Promise<void>;
  abstract find(name: string, period: string): Promise<LedgerRun | null>;
  /** The run with the newest period of each schedule, by name. */
  abstract newest(): Promise<Map<string, LedgerRun>>;
}
