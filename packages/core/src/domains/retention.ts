import { DAY_MS } from '../clock.js';

/** A lowered retention. The purge applies it from a time on. */
export interface RetentionLowering {
  days: number;
  /** Epoch milliseconds. */
  from: number;
  /** When operators are reminded of it, epoch milliseconds; null when they are not, or were reminded already. */
  remindAt: number | null;
}

/** How long a lowering waits before the purge applies it. */
export interface RetentionGrace {
  ms: number;
  /** Whether operators are notified of the lowering, at once and again `REMIND_BEFORE_MS` before its end. */
  isNotified: boolean;
}

/** What operators are told about a lowering. */
export interface NotifiedLowering {
  retentionDays: number;
  retentionDaysBefore: number;
  effectiveAt: Date;
}

/** With the default grace of 14 days, the reminder is sent on day 10. */
const REMIND_BEFORE_MS = 4 * DAY_MS;

/** A domain has at most this number of lowerings that wait; a further one makes the oldest wait for the next. */
const MAX_LOWERINGS = 20;

/** Whether `days` removes mail that `otherDays` keeps; 0 keeps all mail. */
export function isStricter(days: number, otherDays: number): boolean {
  return days !== 0 && (otherDays === 0 || days < otherDays);
}

/** @returns the days that apply at a time: those of the last lowering that has begun, otherwise `before`. */
export function daysAt(before: number, lowerings: readonly RetentionLowering[], at: number): number {
  return lowerings.reduce((days, lowering) => (lowering.from <= at ? lowering.days : days), before);
}

/**
 * Adds a lowering to those that wait. A lowering that would begin later than the new one has no effect any more and is
 * removed, so the list is ordered by time, and its days decrease.
 */
export function withLowering(
  waiting: readonly RetentionLowering[],
  days: number,
  now: number,
  { ms, isNotified }: RetentionGrace,
): RetentionLowering[] {
  const from = now + ms;
  const remindAt = isNotified && ms > REMIND_BEFORE_MS ? startOfDay(from - REMIND_BEFORE_MS) : null;
  const earlier = waiting.filter((lowering) => lowering.from < from);
  return [...earlier, { days, from, remindAt }].slice(-MAX_LOWERINGS);
}

/**
 * Raises lowerings that wait to at least `days`. A lowering that then removes no more than the one before it is
 * removed, with its reminder.
 */
export function raised(before: number, waiting: readonly RetentionLowering[], days: number): RetentionLowering[] {
  const kept: RetentionLowering[] = [];
  let last = before;
  for (const lowering of waiting) {
    const raisedDays = isStricter(lowering.days, days) ? days : lowering.days;
    if (!isStricter(raisedDays, last)) continue;
    kept.push({ ...lowering, days: raisedDays });
    last = raisedDays;
  }
  return kept;
}

export function nextReminder(lowerings: readonly RetentionLowering[]): Date | null {
  const times = lowerings.flatMap(({ remindAt }) => (remindAt === null ? [] : [remindAt]));
  return times.length === 0 ? null : new Date(Math.min(...times));
}

function startOfDay(at: number): number {
  return Math.floor(at / DAY_MS) * DAY_MS;
}
