import fc, { SEED } from '../../../../scripts/fast-check.mjs';

/**
 * The cases of a test in a file `*.sampled.test.ts`: all of them in `npm run test:slow`; a few in `npm test`, chosen by
 * the seed of the run.
 */
export function sampled<Case>(cases: readonly Case[], few: number, seed = SEED): Case[] {
  if (process.env.MAILSTEAD_TESTS === 'slow') return [...cases];
  const length = Math.min(few, cases.length);
  return fc
    .sample(fc.shuffledSubarray([...cases], { minLength: length, maxLength: length }), { seed, numRuns: 1 })
    .flat();
}

/** How many random cases a test in such a file draws. */
export function sampleSize(complete: number, few: number): number {
  return process.env.MAILSTEAD_TESTS === 'slow' ? complete : few;
}

/** The numbers of `count` cases that are drawn from a seed each, for `sampled`. */
export function caseNumbers(count: number): number[] {
  return Array.from({ length: count }, (_, index) => index);
}
