import { aboutInstallation } from '../audit/about-partner.js';
import { AuditLog } from '../audit/audit-log.js';
import { Clock, HOUR_MS, MINUTE_MS } from '../clock.js';
import { reasonOf } from '../errors.js';
import { needs } from '../needs.js';
import { Notifier } from '../notifications/notifier.js';
import { systemActor } from '../operators/actor.js';
import { UnitOfWork } from '../unit-of-work.js';
import { AttemptRun, RUN_LEASE_MS } from './attempt-run.js';
import { JobGate } from './job-gate.js';
import type { JobCounts } from './jobs.js';
import { type FuturePeriod, isRequested, type LedgerRun, RunLedger } from './run-ledger.js';
import {
  latestPeriod,
  latestPeriods,
  type Period,
  SCHEDULE_NAMES,
  SCHEDULES,
  ScheduleHandlers,
  type ScheduleName,
} from './schedules.js';

const ACTOR = systemActor('schedules');
const MAX_ATTEMPTS = 8;
/** A period that has not begun this long after it became due counts as missed. */
const LATE_MS = HOUR_MS / 2;
/** A period that begins within this time is not in the future: another node of the database may have begun it. */
const FUTURE_AFTER_MS = 5 * MINUTE_MS;

export interface ScheduleOutcome {
  name: ScheduleName;
  outcome: 'done' | 'failed';
  /** Why the run failed. */
  reason: string | null;
  counts: JobCounts;
}

/**
 * Runs the newest due period of each schedule once, however late. Older periods are not run. What is due follows from
 * the time of the database. Periods in the future, which a process with a wrong clock left, delay no run.
 */
@needs(UnitOfWork, RunLedger, ScheduleHandlers, Notifier, AuditLog, Clock, JobGate)
export class RunSchedules {
  private readonly attempts: AttemptRun;

  constructor(
    private readonly unitOfWork: UnitOfWork,
    private readonly ledger: RunLedger,
    handlers: ScheduleHandlers,
    private readonly notifier: Notifier,
    private readonly audit: AuditLog,
    private readonly clock: Clock,
    private readonly gate: JobGate,
  ) {
    this.attempts = new AttemptRun(ledger, handlers, clock);
  }

  /**
   * Runs all due schedules concurrently and waits for them, unless the gate is closed. A failure is stored in the
   * ledger with its reason. May be called again while runs are in progress: the ledger gives each period to one caller.
   *
   * @returns the schedules that ran.
   * @throws the first error of the ledger, after all runs have ended.
   */
  async executeDue(): Promise<ScheduleOutcome[]> {
    const now = await this.gate.enter();
    if (now === null) return [];
    const newest = await this.ledger.newest(latestPeriods(now));
    // Together: Node ends the process when nobody hears of an error while the runs go on.
    const [reported, ...runs] = await Promise.allSettled([
      this.reportFuture(now),
      ...SCHEDULE_NAMES.map((name) => this.runIfDue(name, newest.get(name), now)),
    ]);
    for (const each of [reported, ...runs]) if (each.status === 'rejected') throw each.reason;
    return runs.flatMap((run) => (run.status === 'fulfilled' && run.value !== null ? [run.value] : []));
  }

  /**
   * Schedules whose newest due period is late and has not begun, or has failed, and that nobody ran by request since it
   * was due. Used by `/health/ready` and the metric.
   */
  async missed(): Promise<ScheduleName[]> {
    const now = this.clock.now();
    const until = latestPeriods(now);
    const [newest, last] = await Promise.all([this.ledger.newest(until), this.ledger.last(until)]);
    return SCHEDULE_NAMES.filter((name) => {
      const period = latestPeriod(SCHEDULES[name], now);
      const run = newest.get(name);
      if (run === undefined || latenessMs(period, now) <= LATE_MS || isDoneByRequest(last.get(name), period, now))
        return false;
      return run.period < period.key || run.outcome === 'failed';
    });
  }

  /** The runs of periods in the future, which an earlier wrong clock left. Used by `/health/ready` and the metric. */
  future(now = this.clock.now()): Promise<FuturePeriod[]> {
    return this.ledger.future(latestPeriods(new Date(now.getTime() + FUTURE_AFTER_MS)));
  }

  /** Notifies once when periods in the future are found. */
  private async reportFuture(now: Date): Promise<void> {
    const future = await this.future(now);
    const latest = future
      .map(({ period }) => period)
      .sort()
      .at(-1);
    if (latest === undefined) return;
    await this.unitOfWork.run(async () => {
      if (!(await this.ledger.claimFutureReport(latest))) return;
      const jobs = [...new Set(future.map(({ name }) => name))];
      await this.notifier.notify('job.future_periods', null, now, { jobs, latest_period: latest });
    });
  }

  private async runIfDue(name: ScheduleName, known: LedgerRun | undefined, now: Date): Promise<ScheduleOutcome | null> {
    const period = latestPeriod(SCHEDULES[name], now);
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

function isDoneByRequest(last: LedgerRun | undefined, { dueAt }: Period, now: Date): boolean {
  if (last === undefined || !isRequested(last) || last.outcome !== 'done') return false;
  return last.startedAt >= dueAt && last.startedAt <= now;
}
