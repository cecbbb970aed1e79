import { HOUR_MS, MINUTE_MS, SECOND_MS } from '../clock.js';

/** The wait before each attempt (the schedule that Standard Webhooks recommends; 3 days in total). */
const ATTEMPT_DELAYS_MS = [
  0,
  5 * SECOND_MS,
  5 * MINUTE_MS,
  30 * MINUTE_MS,
  2 * HOUR_MS,
  5 * HOUR_MS,
  10 * HOUR_MS,
  14 * HOUR_MS,
  20 * HOUR_MS,
  24 * HOUR_MS,
];

/** The waits before each further attempt, by the number of failed attempts so far; milliseconds. */
export const RETRY_DELAYS_MS: ReadonlyMap<number, number> = new Map([...ATTEMPT_DELAYS_MS.entries()].slice(1));

/**
 * @param attempts the number of failed attempts so far.
 * @returns the time of the next attempt; null after the last attempt.
 */
export function nextAttemptAt(attempts: number, now: Date): Date | null {
  const delayMs = ATTEMPT_DELAYS_MS[attempts];
  return delayMs === undefined ? null : new Date(now.getTime() + delayMs);
}
