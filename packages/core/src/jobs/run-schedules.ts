import { type Clock, HOUR_MS, MINUTE_MS } from '../clock.js';
import { isDatabaseOutage, reasonOf } from '../errors.js';
import type { Notifier } from '../notifications/notifier.js';
import type { UnitOfWork } from '../unit-of-work.js';
import type { JobCounts } from './jobs.js';
import type { LedgerRun, RunLedger } from './run-ledger.js';
import {
  latestPeriod,
  type Period,
  SCHEDULE_NAMES,
  SCHEDULES,
  type ScheduleHandlers,
  type ScheduleName,
} from './schedules.js';

/**
 * The lease of a run. A running process renews it; after a crash, another process may begin the run again when the lease has
 * ended.
 */
const LEASE_MS = 2 * MINUTE_MS;
const RENEW_EVERY_MS = LEASE_MS / 4;
const MAX_ATTEMPTS = 8;
/** The backoff after the first failed attempt. It doubles with each further attempt; eight attempts take two hours. */
const FIRST_RETRY_MS = MINUTE_MS;
/** A period that has not begun this long after it became due counts as missed. */
const LATE_MS = HOUR_MS / 2;

export interface ScheduleOutcome {
  name: ScheduleName;
  outcome: LedgerRun['outcome'];
}

/** Runs the newest due period of each schedule once, however late. Older periods are not run. */
export class RunSchedules {
  constructor(
    private readonly unitOfWork: UnitOfWork,
    private readonly ledger: RunLedger,
    private readonly handlers: ScheduleHandlers,
    private readonly notifier: Notifier,
    private readonly clock: Clock,
  ) {}

  /**
   * Runs all due schedules concurrently and waits for them. A failure is stored in the ledger with its reason. May be called
   * again while runs are in progress: the ledger gives each period to one caller.
   *
   * @returns the schedules that ran.
   * @throws the first error of the ledger, after all runs have ended.
   */
  async executeDue(): Promise<ScheduleOutcome[]> {
    const newest = await this.ledger.newest();
    const runs = await Promise.allSettled(SCHEDULE_NAMES.map((name) => this.runIfDue(name, newest.get(name))));
    for (const run of runs) if (run.status === 'rejected') throw run.reason;
    return runs.flatMap((run) => (run.status === 'fulfilled' && run.value !== null ? [run.value] : []));
  }

  /** Runs a schedule now, even when it is not due, and without a row in the ledger. */
  executeNow(name: ScheduleName): Promise<JobCounts> {
    const dueAt = this.clock.now();
    const { key } = latestPeriod(SCHEDULES[name], dueAt);
    return this.handlers[name]({ period: { key, dueAt }, cursor: 0, save: async () => {} });
  }

  /** Schedules whose newest due period is late and has not begun, or has failed. Used by `/health/ready` and the metric. */
  async missed(): Promise<ScheduleName[]> {
    const newest = await this.ledger.newest();
    const now = this.clock.now();
    return SCHEDULE_NAMES.filter((name) => {
      const period = latestPeriod(SCHEDULES[name], now);
      const run = newest.get(name);
      return run !== undefined && latenessMs(period, now) > LATE_MS && (run.period < period.key || isFailed(run));
    });
  }

  private async runIfDue(name: ScheduleName, known: LedgerRun | undefined): Promise<ScheduleOutcome | null> {
    const period = latestPeriod(SCHEDULES[name], this.clock.now());
    if (known === undefined) {
      // This installation sees the schedule for the first time: a period from before the installation existed was not
      // missed.
      await this.ledger.skip(name, period.key, this.clock.now());
      return null;
    }
    const isBegun = known.period >= period.key;
    if (isBegun && known.outcome === 'done') return null;
    const run = await this.begin(name, isBegun ? { ...period, key: known.period } : period);
    return run === null ? null : { name, outcome: await this.attempt(name, period.dueAt, run) };
  }

  /** Begins the run in one unit of work. When the first attempt is late, also sends `job.missed`. */
  private begin(name: ScheduleName, period: Period): Promise<LedgerRun | null> {
    return this.unitOfWork.run(async () => {
      const now = this.clock.now();
      const run = await this.ledger.begin(name, period.key, now, LEASE_MS, MAX_ATTEMPTS);
      const lateMs = latenessMs(period, now);
      if (run?.attempts === 1 && lateMs > LATE_MS) {
        await this.notifier.notify('job.missed', null, now, {
          job: name,
          period: period.key,
          late_seconds: Math.round(lateMs / 1_000),
        });
      }
      return run;
    });
  }

  private async attempt(name: ScheduleName, dueAt: Date, run: LedgerRun): Promise<LedgerRun['outcome']> {
    const leasedUntil = () => new Date(this.clock.now().getTime() + LEASE_MS);
    const renewal = setInterval(() => {
      void this.ledger.renew(run, leasedUntil()).catch(() => undefined);
    }, RENEW_EVERY_MS).unref();
    try {
      const save = (cursor: number) => this.ledger.save(run, cursor, leasedUntil());
      const counts = await this.handlers[name]({ period: { key: run.period, dueAt }, cursor: run.cursor, save });
      await this.ledger.complete(run, counts, this.clock.now());
      return 'done';
    } catch (error) {
      await this.fail(run, error);
      return 'failed';
    } finally {
      clearInterval(renewal);
    }
  }

  private async fail(run: LedgerRun, error: unknown): Promise<void> {
    const reason = reasonOf(error);
    const now = this.clock.now();
    const after = (delayMs: number) => new Date(now.getTime() + delayMs);
    if (isDatabaseOutage(error)) await this.ledger.postpone(run, reason, now, after(FIRST_RETRY_MS));
    else await this.ledger.fail(run, reason, now, after(FIRST_RETRY_MS * 2 ** (run.attempts - 1)));
  }
}

function latenessMs(period: Period, now: Date): number {
  return now.getTime() - period.dueAt.getTime();
}

function isFailed(run: LedgerRun): boolean {
  return run.outcome === 'failed';
}
