import { DAY_MS } from '../clock.js';
import { token } from '../needs.js';
import type { DaySpan } from './trail-store.js';

export interface TrailOptions {
  /** Days that the trails of messages are kept; 0: nothing is kept. */
  trailDays: number;
  /** New rows a second, for the average of a minute; null: no bound. */
  rowsPerSecond: number | null;
}
export const TrailOptions = token<TrailOptions>('TrailOptions');

/** A mail server whose reports are older is behind, seconds. */
export const BEHIND_S = 60;

/** The day of a time, in days since 1970 (UTC). */
export function trailDayOf(at: Date): number {
  return Math.floor(at.getTime() / DAY_MS);
}

/** The days that are kept: the present one, as many before it, and the next one for clocks that are ahead. */
export function keptDays({ trailDays }: Pick<TrailOptions, 'trailDays'>, now: Date): DaySpan {
  const today = trailDayOf(now);
  return { first: today - trailDays, last: today + 1 };
}
