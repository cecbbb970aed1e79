/**
 * The cases of a test in a file `*.sampled.test.ts`: all of them in `npm run test:slow`; a few in `npm test`, chosen by
 * the seed of the run, which its last lines tell. `MAILSTEAD_TEST_SEED=<seed> npm test` chooses the same ones.
 */
export function sampled<Case>(cases: readonly Case[], few: number): Case[] {
  if (process.env.MAILSTEAD_TESTS === 'slow') return [...cases];
  let state = Number(process.env.MAILSTEAD_TEST_SEED ?? 1);
  const left = [...cases];
  const chosen: Case[] = [];
  while (chosen.length < few && left.length > 0) {
    // A linear congruential generator with the constants of C's rand().
    state = (Math.imul(state, 1_103_515_245) + 12_345) & 0x7fff_ffff;
    chosen.push(...left.splice((state >>> 8) % left.length, 1));
  }
  return chosen;
}

/** How many random cases a test in such a file draws. */
export function sampleSize(complete: number, few: number): number {
  return process.env.MAILSTEAD_TESTS === 'slow' ? complete : few;
}

/** The numbers of `count` cases that are drawn from a seed each, for `sampled`. */
export function caseNumbers(count: number): number[] {
  return Array.from({ length: count }, (_, index) => index);
}
