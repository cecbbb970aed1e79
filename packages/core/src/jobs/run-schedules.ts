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

/** A run that is cut off may be taken up again after this; one that goes on prolongs it, however long it takes. */
const LEASE_MS = 2 * MINUTE_MS;
const RENEW_EVERY_MS = LEASE_MS / 4;
const MAX_ATTEMPTS = 8;
/** The wait after the first failure; it doubles with each further one, so that a part that is down has two hours. */
const FIRST_RETRY_MS = MINUTE_MS;
/** A period that starts later than this after it was due counts as missed. */
const LATE_MS = HOUR_MS / 2;

export interface ScheduleOutcome {
  name: ScheduleName;
  outcome: LedgerRun['outcome'];
}

/** Runs what is due by the clock, once for each period. The newest due period is caught up at start, however late. */
export class RunSchedules {
  constructor(
    private readonly unitOfWork: UnitOfWork,
    private readonly ledger: RunLedger,
    private readonly handlers: ScheduleHandlers,
    private readonly notifier: Notifier,
    private readonly clock: Clock,
  ) {}

  /**
   * Runs all that is due at once, so that no schedule waits for another; a failure is kept in the ledger with its reason.
   * May be called again while runs are under way: the ledger keeps each to one caller.
   *
   * @returns what ran.
   */
  async executeDue(): Promise<ScheduleOutcome[]> {
    const newest = await this.ledger.newest();
    const outcomes = await Promise.all(SCHEDULE_NAMES.map((name) => this.runIfDue(name, newest.get(name))));
    return outcomes.filter((outcome) => outcome !== null);
  }

  /** Runs a schedule now, whatever its period says, under a period of its own. */
  async executeNow(name: ScheduleName): Promise<JobCounts> {
    const now = this.clock.now();
    const counts = await this.handlers[name]({
      period: { key: latestPeriod(SCHEDULES[name], now).key, dueAt: now },
      cursor: 0,
      save: async () => {},
    });
    return counts;
  }

  /** Schedules whose newest due period has not been done though it is late: for `/health/ready` and the metric. */
  async missed(): Promise<ScheduleName[]> {
    const newest = await this.ledger.newest();
    const now = this.clock.now();
    return SCHEDULE_NAMES.filter((name) => {
      const period = latestPeriod(SCHEDULES[name], now);
      const known = newest.get(name);
      const late = now.getTime() - period.dueAt.getTime() > LATE_MS;
      return late && known !== undefined && (known.period < period.key || known.outcome === 'failed');
    });
  }

  private async runIfDue(name: ScheduleName, known: LedgerRun | undefined): Promise<ScheduleOutcome | null> {
    const period = latestPeriod(SCHEDULES[name], this.clock.now());
    if (known === undefined) {
      // Never seen before: what was due before this installation existed was not missed.
      await this.ledger.skip(name, period.key, this.clock.now());
      return null;
    }
    if (known.period >= period.key && known.outcome === 'done') return null;
    const outcome = await this.run(name, known.period < period.key ? period : { ...period, key: known.period });
    return outcome === null ? null : { name, outcome };
  }

  private async run(name: ScheduleName, period: Period): Promise<LedgerRun['outcome'] | null> {
    const run = await this.begin(name, period);
    if (run === null) return null;
    const leasedUntil = () => new Date(this.clock.now().getTime() + LEASE_MS);
    const renewal = setInterval(() => {
      void this.ledger.renew(name, period.key, leasedUntil()).catch(() => undefined);
    }, RENEW_EVERY_MS).unref();
    try {
      const save = (cursor: number) => this.ledger.save(name, period.key, cursor, leasedUntil());
      const counts = await this.handlers[name]({ period, cursor: run.cursor, save });
      await this.ledger.done(name, period.key, counts, this.clock.now());
      return 'done';
    } catch (error) {
      const reason = reasonOf(error);
      const now = this.clock.now();
      if (isDatabaseOutage(error)) {
        const soon = new Date(now.getTime() + FIRST_RETRY_MS);
        await this.ledger.postponed(name, period.key, reason, now, soon);
      } else {
        const retryAt = new Date(now.getTime() + FIRST_RETRY_MS * 2 ** (run.attempts - 1));
        await this.ledger.failed(name, period.key, reason, now, retryAt);
      }
      return 'failed';
    } finally {
      clearInterval(renewal);
    }
  }

  private begin(name: ScheduleName, period: Period): Promise<LedgerRun | null> {
    return this.unitOfWork.run(async () => {
      const now = this.clock.now();
      const run = await this.ledger.begin(name, period.key, now, LEASE_MS, MAX_ATTEMPTS);
      const late = now.getTime() - period.dueAt.getTime();
      if (run !== null && run.attempts === 1 && late > LATE_MS) {
        await this.notifier.notify('job.missed', null, now, {
          job: name,
          period: period.key,
          late_seconds: Math.round(late / 1_000),
        });
      }
      return run;
    });
  }
}
