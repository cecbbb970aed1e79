import type { JobCounts } from './jobs.js';

export type RunOutcome = 'running' | 'done' | 'failed';

export interface LedgerRun {
  name: string;
  /** The key of the period. */
  period: string;
  outcome: RunOutcome;
  startedAt: Date;
  endedAt: Date | null;
  /** With the one that runs; 0 for a skipped period. */
  attempts: number;
  /** Why the last attempt failed. */
  reason: string | null;
  counts: JobCounts | null;
  /** The progress that a resumable run saved; 0 when it saved none. */
  cursor: number;
}

/** Names one attempt at one period. */
export type RunAttempt = Pick<LedgerRun, 'name' | 'period' | 'attempts'>;

/**
 * The run ledger has one row for each period of a schedule: whether it runs, is done or failed, and what it did. A period
 * runs once; it runs again only after a crash or a failure.
 */
export abstract class RunLedger {
  /**
   * Begins an attempt at a period and holds it for `leaseMs`. Of several callers at once, on any node of the database, one
   * gets it.
   *
   * @returns the run, with the cursor of an earlier attempt. Null when the period is done, another process holds it, its next
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
   * Saves the cursor and prolongs the lease. This and the next four change nothing when the attempt is over, or when its
   * lease ended and another process began the next.
   */
  abstract save(run: RunAttempt, cursor: number, leasedUntil: Date): Promise<void>;
  /** Prolongs the lease. */
  abstract renew(run: RunAttempt, leasedUntil: Date): Promise<void>;
  abstract complete(run: RunAttempt, counts: JobCounts, now: Date): Promise<void>;
  /** Keeps the reason; the next attempt may begin at `retryAt`. */
  abstract fail(run: RunAttempt, reason: string, now: Date, retryAt: Date): Promise<void>;
  /** As `fail`, but the attempt does not count. */
  abstract postpone(run: RunAttempt, reason: string, now: Date, retryAt: Date): Promise<void>;
  /** Notes a period as done without a run, unless it has a row. */
  abstract skip(name: string, period: string, now: Date): Promise<void>;
  abstract find(name: string, period: string): Promise<LedgerRun | null>;
  /** The run with the newest period of each schedule, by name. */
  abstract newest(): Promise<Map<string, LedgerRun>>;
}
