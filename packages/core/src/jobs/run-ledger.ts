import type { JobCounts } from './jobs.js';

export type RunOutcome = 'running' | 'done' | 'failed';

export interface LedgerRun {
  name: string;
  period: string;
  outcome: RunOutcome;
  startedAt: Date;
  endedAt: Date | null;
  attempts: number;
  reason: string | null;
  counts: JobCounts | null;
  cursor: number;
}

/** Which period of which schedule ran: a period runs once, whoever starts it, and again only after a crash or a failure. */
export abstract class RunLedger {
  /**
   * Takes a period for `leaseMs`.
   *
   * @returns the run, with the cursor of an earlier attempt; null when it is done, another process has it, its next attempt
   * is not due, or it failed `maxAttempts` times.
   */
  abstract begin(
    name: string,
    period: string,
    now: Date,
    leaseMs: number,
    maxAttempts: number,
  ): Promise<LedgerRun | null>;
  /** Keeps the cursor and prolongs the lease. */
  abstract save(name: string, period: string, cursor: number, leasedUntil: Date): Promise<void>;
  /** Prolongs the lease of a run that goes on. */
  abstract renew(name: string, period: string, leasedUntil: Date): Promise<void>;
  abstract done(name: string, period: string, counts: JobCounts, now: Date): Promise<void>;
  /** Keeps the reason; the period may be taken again from `retryAt` on. */
  abstract failed(name: string, period: string, reason: string, now: Date, retryAt: Date): Promise<void>;
  /** As `failed`; the attempt does not count. */
  abstract postponed(name: string, period: string, reason: string, now: Date, retryAt: Date): Promise<void>;
  /** Notes a period as done without running it: the one before the schedule was first seen. */
  abstract skip(name: string, period: string, now: Date): Promise<void>;
  abstract find(name: string, period: string): Promise<LedgerRun | null>;
  /** The run with the newest period of each schedule. */
  abstract newest(): Promise<Map<string, LedgerRun>>;
}
