// @ts-check
// The limits of time that all tests share: the time-out of jest, and how long a helper waits.

/** The time that a test or a hook may take. The slow tests start servers and wait for them. */
export const TEST_TIMEOUT_MS = process.env.MAILSTEAD_TESTS === 'slow' ? 900_000 : 120_000;

/**
 * The time that a helper waits. It ends before jest's time-out, because the helper's error names what it waited for and
 * jest's does not.
 */
export const PATIENCE_MS = TEST_TIMEOUT_MS - 10_000;
