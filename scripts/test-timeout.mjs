// @ts-check
// The limits of time that all tests share: the time-out of jest, and how long a helper waits.

/** The time that a test or a hook may take. The slow tests start servers and wait for them. */
export const TEST_TIMEOUT_MS = process.env.MAILSTEAD_TESTS === 'slow' ? 900_000 : 120_000;

/**
 * The time that a helper waits. It ends before jest's time-out, because the helper's error names what it waited for and
 * jest's does not.
 */
export const PATIENCE_MS = TEST_TIMEOUT_MS - 10_000;

/** The factor of the service's own deadlines in tests that are not about them. */
export const DEADLINE_FACTOR = 5;

const LONGEST_PAUSE_MS = 200;

/**
 * Returns how long a helper waits before it checks again. A check that takes long, for instance because it starts a
 * program, is repeated less often, because what the test waits for needs the same processors.
 * @param {number} tookMs The time that the last check took.
 * @param {number} shortestMs
 */
export function pauseAfter(tookMs, shortestMs) {
  return Math.min(Math.max(4 * tookMs, shortestMs), LONGEST_PAUSE_MS);
}
