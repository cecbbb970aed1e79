import { aboutInstallation } from '../audit/about-partner.js';
import { AuditLog } from '../audit/audit-log.js';
import type { AuditAction } from '../audit/event-types.js';
import { Clock, DatabaseClock, MINUTE_MS, utcDay } from '../clock.js';
import { JobQueue } from '../jobs/jobs.js';
import { needs } from '../needs.js';
import type { Actor } from '../operators/actor.js';
import { UnitOfWork } from '../unit-of-work.js';
import { OutboundPeriods } from './outbound-periods.js';

/** Small, so that an increment does not wait long for the locks of one chunk. */
const COUNTERS_PER_CHUNK = 5_000;

/** Sets all daily counters to 0 at any time, by raising one number. No counter row is written. */
@needs(UnitOfWork, OutboundPeriods, AuditLog, Clock)
export class ResetDaily {
  constructor(
    private readonly unitOfWork: UnitOfWork,
    private readonly periods: OutboundPeriods,
    private readonly audit: AuditLog,
    private readonly clock: Clock,
  ) {}

  /** @returns the number of counters that were not 0. */
  execute(actor: Actor): Promise<{ reset: number }> {
    return this.unitOfWork.run(async () => {
      const now = this.clock.now();
      const reset = await this.periods.resetDay(utcDay(now));
      await this.audit.append(actor, now, entry('outbound.reset_daily', { reset }));
      return { reset };
    });
  }

  /**
   * The scheduled run after the end of a day. The counters are reset by their date; this only returns how many there
   * were.
   */
  async closeDay(day: string): Promise<{ reset: number }> {
    return { reset: await this.periods.countDay(day) };
  }
}

/** Writes the month counters of all domains into the history and starts a new month, at any time. */
@needs(UnitOfWork, OutboundPeriods, JobQueue, AuditLog, Clock, DatabaseClock)
export class ResetMonthly {
  constructor(
    private readonly unitOfWork: UnitOfWork,
    private readonly periods: OutboundPeriods,
    private readonly jobs: JobQueue,
    private readonly audit: AuditLog,
    private readonly clock: Clock,
    private readonly databaseClock: DatabaseClock,
  ) {}

  /**
   * @returns the number of counters that it closed and froze. Counters that an interrupted run left closed are frozen
   * too, but not counted again.
   */
  async execute(actor: Actor): Promise<{ frozen: number; reset: number }> {
    const closed = await this.unitOfWork.run(async () => {
      const now = this.clock.now();
      const count = await this.periods.resetMonth(now);
      await this.audit.append(actor, now, entry('outbound.reset_monthly', { frozen: count, reset: count }));
      // This job finds closed counters only when this process ends before it has frozen them.
      await this.jobs.enqueue(
        'schedule.run',
        { name: 'outbound.reset-monthly' },
        { key: 'schedule.run/outbound.reset-monthly', runAt: new Date(now.getTime() + MINUTE_MS) },
      );
      return count;
    });
    await this.freezeClosed();
    return { frozen: closed, reset: closed };
  }

  /**
   * The scheduled run after the end of a month. Freezes closed counters only, so a late run does not change the next
   * month.
   */
  async closeMonths(): Promise<{ frozen: number }> {
    return { frozen: await this.freezeClosed() };
  }

  private async freezeClosed(): Promise<number> {
    let frozen = 0;
    const now = await this.databaseClock.time();
    for await (const chunk of this.periods.freezeClosed(now, { perChunk: COUNTERS_PER_CHUNK })) {
      frozen += chunk;
    }
    return frozen;
  }
}

function entry(action: AuditAction, after: Record<string, unknown>) {
  return aboutInstallation(action, { subject: 'all domains', after });
}
