import { type Clock, HOUR_MS, MINUTE_MS } from './clock.js';
import type { JobCounts } from './jobs.js';
import type { Notifier } from './notifications/notifier.js';
import type { LedgerRun, RunLedger } from './run-ledger.js';
import {
  latestPeriod,
  type Period,
  SCHEDULE_NAMES,
  SCHEDULES,
  type ScheduleHandlers,
  type ScheduleName,
} from './schedules.js';
import type { UnitOfWork } from './unit-of-work.js';

/** A run that is cut off may be taken up again after this; a resumable one prolongs it as it goes. */
const LEASE_MS = 30 * MINUTE_MS;
const MAX_ATTEMPTS = 5;
/** A period that starts later than this after it was due counts as missed. */
const LATE_MS = HOUR_MS / 2;

/** Runs what is due by the clock, once for each period. The newest due period is caught up at start, however late. */
export class RunSchedules {
  constructor(
    private readonly unitOfWork: UnitOfWork,
    private readonly ledger: RunLedger,
    private readonly handlers: ScheduleHandlers,
    private readonly notifier: Notifier,
    private readonly clock: Clock,
  ) {}

  /** @returns what ran. One schedule's failure never holds up another; it is kept in the ledger with its reason. */
  async executeDue(): Promise<{ name: ScheduleName; outcome: LedgerRun['outcome'] }[]> {
    const ran: { name: ScheduleName; outcome: LedgerRun['outcome'] }[] = [];
    const newest = await this.ledger.newest();
    for (const name of SCHEDULE_NAMES) {
      const period = latestPeriod(SCHEDULES[name], this.clock.now());
      const known = newest.get(name);
      // Never seen before: what was due before this installation existed was not missed.
      if (known === undefined) await this.ledger.skip(name, period.key, this.clock.now());
      else if (known.period < period.key || known.outcome !== 'done') {
        const outcome = await this.run(name, known.period < period.key ? period : { ...period, key: known.period });
        if (outcome !== null) ran.push({ name, outcome });
      }
    }
    return ran;
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

  private async run(name: ScheduleName, period: Period): Promise<LedgerRun['outcome'] | null> {
    const run = await this.begin(name, period);
    if (run === null) return null;
    try {
      const save = (cursor: number) =>
        this.ledger.save(name, period.key, cursor, new Date(this.clock.now().getTime() + LEASE_MS));
      const counts = await this.handlers[name]({ period, cursor: run.cursor, save });
      await this.ledger.end(name, period.key, 'done', null, counts, this.clock.now());
      return 'done';
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error);
      await this.ledger.end(name, period.key, 'failed', reason, null, this.clock.now());
      return 'failed';
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
