import { HOUR_MS, MINUTE_MS, SECOND_MS } from '../clock.js';

/** How long each attempt waits after the one before (the schedule that Standard Webhooks recommends; 3 days in all). */
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

/**
 * When a delivery is tried next.
 * @param attempts how many attempts were made, all of them failed.
 * @returns null after the last one: the delivery is given up.
 */
export function nextAttemptAt(attempts: number, now: Date): Date | null {
  const delayMs = ATTEMPT_DELAYS_MS[attempts];
  return delayMs === undefined ? null : new Date(now.getTime() + delayMs);
}
