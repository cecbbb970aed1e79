import { DAY_MS, HOUR_MS } from '../clock.js';
import type { JobCounts } from './jobs.js';

/** Everything that runs by the clock. Adding a line here makes the compiler ask for a handler. */
export const SCHEDULES = {
  /** Says how many counters the day that ended had; the date alone resets them. */
  'outbound.reset-daily': { every: 'day', atHour: 0 },
  /** Freezes the counters of the month that ended. */
  'outbound.reset-monthly': { every: 'month', atHour: 0 },
  /** Removes stored mail older than its domain keeps. */
  'retention.purge': { every: 'day', atHour: 3 },
  /** Removes the stored mail of deleted mailboxes after the grace, and forgets old names. */
  'deleted-mail.remove': { every: 'day', atHour: 4 },
  /** Compares pending domains with the provider. */
  'verification.poll': { every: '2 hours', atHour: 0 },
  /** Compares verified domains with the provider. */
  'verification.recheck': { every: 'day', atHour: 5 },
  /** Forgets what nothing asks for any more: ids, inbox rows, delivered notifications, idempotency keys. */
  housekeeping: { every: 'hour', atHour: 0 },
} as const satisfies Record<string, Schedule>;

export interface Schedule {
  every: 'hour' | '2 hours' | 'day' | 'month';
  /** The UTC hour of the daily and monthly ones. */
  atHour: number;
}

export type ScheduleName = keyof typeof SCHEDULES;

export const SCHEDULE_NAMES = Object.keys(SCHEDULES) as ScheduleName[];

export function isScheduleName(name: string): name is ScheduleName {
  return Object.hasOwn(SCHEDULES, name);
}

/** One period of a schedule: its key in the run ledger, and when it became due. */
export interface Period {
  /** The due time, `2026-03-01T00`. */
  key: string;
  dueAt: Date;
}

/** The newest period that is due. */
export function latestPeriod(schedule: Schedule, now: Date): Period {
  return periodAt(latestDue(schedule, now));
}

/** The first period that is not due yet. */
export function nextPeriod(schedule: Schedule, now: Date): Period {
  const due = latestDue(schedule, now);
  if (schedule.every === 'month')
    return periodAt(new Date(Date.UTC(due.getUTCFullYear(), due.getUTCMonth() + 1, 1, schedule.atHour)));
  return periodAt(new Date(due.getTime() + intervalMs(schedule)));
}

/** The same as a cron expression, for people. */
export function cronOf({ every, atHour }: Schedule): string {
  switch (every) {
    case 'hour':
      return '0 * * * *';
    case '2 hours':
      return '0 */2 * * *';
    case 'day':
      return `0 ${atHour} * * *`;
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
  const offset = schedule.every === 'day' ? schedule.atHour * HOUR_MS : 0;
  return new Date(Math.floor((now.getTime() - offset) / interval) * interval + offset);
}

function intervalMs({ every }: Schedule): number {
  return { hour: HOUR_MS, '2 hours': 2 * HOUR_MS, day: DAY_MS, month: 31 * DAY_MS }[every];
}

function periodAt(dueAt: Date): Period {
  return { key: dueAt.toISOString().slice(0, 13), dueAt };
}

/** A run that is under way; a resumable one keeps how far it came. */
interface RunInProgress {
  period: Period;
  /** 0, or what a run that was cut off had saved. */
  cursor: number;
  /** Also prolongs the lease. */
  save(cursor: number): Promise<void>;
}

/** One table, where a missing handler does not compile. */
export type ScheduleHandlers = Record<ScheduleName, (run: RunInProgress) => Promise<JobCounts>>;
