import { DAY_MS, HOUR_MS, MINUTE_MS } from '../clock.js';
import { token } from '../needs.js';
import type { JobCounts } from './jobs.js';
import type { PeriodKeys } from './run-ledger.js';

/**
 * All schedules: work that runs at fixed times, once for each period (an hour, a day, a month; UTC). A new line here
 * does not compile until the schedule has a handler.
 */
export const SCHEDULES = {
  /** Reports how many domains sent mail on the ended day. It resets nothing, because a counter belongs to its date. */
  'outbound.reset-daily': { every: 'day', atHour: 0 },
  /** Writes what each domain used on the ended day, and on days before that were missed. */
  'usage.snapshot': { every: 'day', atHour: 0, atMinute: 20 },
  /** Tells of domains whose mail of the ended day met too many addresses that are suppressed since. */
  'suppressions.compare': { every: 'day', atHour: 0, atMinute: 40 },
  /** Measures the stored mail of each domain as a sample of the ended day. */
  'usage.storage': { every: 'day', atHour: 1 },
  /** Replaces the days of months that have been closed for three months by one row for each row of their report. */
  'usage.sum-months': { every: 'day', atHour: 1, atMinute: 40 },
  /** Freezes the counters of the ended month. */
  'outbound.reset-monthly': { every: 'month', atHour: 0 },
  /** Removes stored mail that is older than the retention of its domain. */
  'retention.purge': { every: 'day', atHour: 3 },
  /**
   * Removes the stored mail of deleted mailboxes after the grace period, and deletes the rows of names deleted long
   * ago.
   */
  'deleted-mail.remove': { every: 'day', atHour: 4 },
  /** Reminds operators of lowered retentions that will soon take effect. */
  'retention.remind': { every: 'day', atHour: 2 },
  /** Removes clients' domains that were never open, and notifies the operators before. */
  'pending-domains.expire': { every: 'day', atHour: 6 },
  /** Checks pending domains at the relay provider. */
  'verification.poll': { every: '2 hours', atHour: 0 },
  /** Checks verified domains at the relay provider. */
  'verification.recheck': { every: 'day', atHour: 5 },
  /** Reads the account at the relay provider, and whether somebody listens to its events. */
  'relay.account': { every: 'hour', atHour: 0 },
  /** Drops the trails of messages of days that are not kept, and makes the days to come. */
  'trail.days': { every: 'hour', atHour: 0 },
  /**
   * Deletes rows that are no longer needed (ids of increments, relay events, old records), checks the stored counts,
   * and plans looks at the DNS records of domains that nobody planned.
   */
  housekeeping: { every: 'hour', atHour: 0 },
} as const satisfies Record<string, Schedule>;

export interface Schedule {
  every: 'hour' | '2 hours' | 'day' | 'month';
  /** The UTC hour of daily and monthly schedules. */
  atHour: number;
  /** The minute of daily schedules; 0 by default. */
  atMinute?: number;
}

export type ScheduleName = keyof typeof SCHEDULES;

export const SCHEDULE_NAMES = Object.keys(SCHEDULES) as ScheduleName[];

export function isScheduleName(name: string): name is ScheduleName {
  return Object.hasOwn(SCHEDULES, name);
}

/** One period of a schedule. */
export interface Period {
  /** Its key in the run ledger: the due time, `2026-03-01T00`. */
  key: string;
  dueAt: Date;
}

/** The newest period that is due. */
export function latestPeriod(schedule: Schedule, now: Date): Period {
  return periodAt(latestDue(schedule, now));
}

/** The key of the newest due period of each schedule. */
export function latestPeriods(now: Date): PeriodKeys {
  return new Map(SCHEDULE_NAMES.map((name) => [name, latestPeriod(SCHEDULES[name], now).key]));
}

/** The first period that is not due yet. */
export function nextPeriod(schedule: Schedule, now: Date): Period {
  const due = latestDue(schedule, now);
  if (schedule.every === 'month')
    return periodAt(new Date(Date.UTC(due.getUTCFullYear(), due.getUTCMonth() + 1, 1, schedule.atHour)));
  return periodAt(new Date(due.getTime() + intervalMs(schedule)));
}

/** The schedule as a cron expression, for display. */
export function cronOf({ every, atHour, atMinute = 0 }: Schedule): string {
  switch (every) {
    case 'hour':
      return '0 * * * *';
    case '2 hours':
      return '0 */2 * * *';
    case 'day':
      return `${atMinute} ${atHour} * * *`;
    case 'month':
      return `0 ${atHour} 1 * *`;
  }
}

function latestDue(schedule: Schedule, now: Date): Date {
  if (schedule.every === 'month') {
    const thisMonth = Date.UTC(now.getUTCFullYear(), now.getUTCMonth(), 1, schedule.atHour);
    const lastMonth = Date.UTC(now.getUTCFullYear(), now.getUTCMonth() - 1, 1, schedule.atHour);
    return new Date(thisMonth <= now.getTime() ? thisMonth : lastMonth);
  }
  const interval = intervalMs(schedule);
  const { atHour, atMinute = 0 } = schedule;
  const offset = schedule.every === 'day' ? atHour * HOUR_MS + atMinute * MINUTE_MS : 0;
  return new Date(Math.floor((now.getTime() - offset) / interval) * interval + offset);
}

function intervalMs({ every }: Schedule): number {
  return { hour: HOUR_MS, '2 hours': 2 * HOUR_MS, day: DAY_MS, month: 31 * DAY_MS }[every];
}

function periodAt(dueAt: Date): Period {
  return { key: dueAt.toISOString().slice(0, 13), dueAt };
}

/** The argument of a schedule's handler. A resumable run saves its progress as a cursor. */
export interface RunInProgress {
  period: Period;
  /** The cursor that an earlier attempt at this period saved; 0 when none was saved. */
  cursor: number;
  /** Saves the cursor and extends the lease. */
  save(cursor: number): Promise<void>;
}

/** The handler of each schedule; a missing handler does not compile. Handlers are idempotent. */
export type ScheduleHandlers = Record<ScheduleName, (run: RunInProgress) => Promise<JobCounts>>;
export const ScheduleHandlers = token<ScheduleHandlers>('ScheduleHandlers');
