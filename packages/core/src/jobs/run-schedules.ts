import { aboutInstallation } from '../audit/about-partner.js';
import type { AuditLog } from '../audit/audit-log.js';
import { type Clock, HOUR_MS } from '../clock.js';
import { reasonOf } from '../errors.js';
import type { Notifier } from '../notifications/notifier.js';
import { systemActor } from '../operators/actor.js';
import type { UnitOfWork } from '../unit-of-work.js';
import { AttemptRun, RUN_LEASE_MS } from './attempt-run.js';
import type { JobCounts } from './jobs.js';
import { isRequested, type LedgerRun, type RunLedger } from './run-ledger.js';
import {
  latestPeriod,
  type Period,
  SCHEDULE_NAMES,
  SCHEDULES,
  type ScheduleHandlers,
  type ScheduleName,
} from './schedules.js';

const ACTOR = systemActor('schedules');
const MAX_ATTEMPTS = 8;
/** A period that has not begun this long after it became due counts as missed. */
const LATE_MS = HOUR_MS / 2;

export interface ScheduleOutcome {
  name: ScheduleName;
  outcome: 'done' | 'failed';
  /** Why the run failed. */
  reason: string | null;
  counts: JobCounts;
}

/** Runs the newest due period of each schedule once, however late. Older periods are not run. */
export class RunSchedules {
  private readonly attempts: AttemptRun;

  constructor(
    private readonly unitOfWork: UnitOfWork,
    private readonly ledger: RunLedger,
    handlers: ScheduleHandlers,
    private readonly notifier: Notifier,
    private readonly audit: AuditLog,
    private readonly clock: Clock,
  ) {
    this.attempts = new AttemptRun(ledger, handlers, clock);
  }

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

  /**
   * Schedules whose newest due period is late and has not begun, or has failed, and that nobody ran by request since it was
   * due. Used by `/health/ready` and the metric.
   */
  async missed(): Promise<ScheduleName[]> {
    const [newest, last] = await Promise.all([this.ledger.newest(), this.ledger.last()]);
    const now = this.clock.now();
    return SCHEDULE_NAMES.filter((name) => {
      const period = latestPeriod(SCHEDULES[name], now);
      const run = newest.get(name);
      if (run === undefined || latenessMs(period, now) <= LATE_MS || isDoneByRequest(last.get(name), period))
        return false;
      return run.period < period.key || run.outcome === 'failed';
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
    if (run === null) return null;
    const attempt = await this.attempts.execute(name, period.dueAt, run);
    return attempt.outcome === 'done'
      ? { name, outcome: 'done', reason: null, counts: attempt.counts }
      : { name, outcome: 'failed', reason: reasonOf(attempt.error), counts: {} };
  }

  /** Begins the run in one unit of work. When the first attempt is late, also sends `job.missed`. */
  private begin(name: ScheduleName, period: Period): Promise<LedgerRun | null> {
    return this.unitOfWork.run(async () => {
      const now = this.clock.now();
      const run = await this.ledger.begin(name, period.key, now, RUN_LEASE_MS, MAX_ATTEMPTS);
      const lateMs = latenessMs(period, now);
      if (run?.attempts === 1 && lateMs > LATE_MS) {
        const facts = { job: name, period: period.key, late_seconds: Math.round(lateMs / 1_000) };
        await this.notifier.notify('job.missed', null, now, facts);
        await this.audit.append(ACTOR, now, aboutInstallation('job.missed', { subject: name, after: facts }));
      }
      return run;
    });
  }
}

function latenessMs(period: Period, now: Date): number {
  return now.getTime() - period.dueAt.getTime();
}

function isDoneByRequest(last: LedgerRun | undefined, { dueAt }: Period): boolean {
  return last !== undefined && isRequested(last) && last.outcome === 'done' && last.startedAt >= dueAt;
}
