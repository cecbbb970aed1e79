// @ts-check
// Which test files are slow, by their name.

/** The tests that take minutes: `npm test` leaves them out. */
export const SLOW_TESTS = /\.slow\.test\.ts$/;

/**
 * `npm run test:slow` runs them, and all cases of those of which `npm test` runs a sample (`core/testing/sampled.ts`).
 */
export const TESTS_OF_SLOW_RUN = /\.(slow|sampled)\.test\.ts$/;
