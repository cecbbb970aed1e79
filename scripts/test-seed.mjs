// @ts-check
import { randomInt } from 'node:crypto';
import { Stop } from './main.mjs';

/** Fixed, so that a run says the same of the same sources every time. */
const SEED = 20_261_128;

/** fast-check takes the seeds below this one as they are. */
const LIMIT = 2 ** 31;

/**
 * Returns the seed that chooses the cases of all tests that draw them, for `MAILSTEAD_TEST_SEED`: a whole number from
 * 0.
 * @param {string | undefined} given A seed of an earlier run; `random` draws a new one, to look for faults on purpose.
 */
export function seedOfRun(given) {
  if (given === undefined) return SEED;
  if (given === 'random') return randomInt(LIMIT);
  const seed = Number(given);
  if (/^\d+$/.test(given) && seed < LIMIT) return seed;
  throw new Stop(`MAILSTEAD_TEST_SEED is ${given}: it must be a whole number from 0 to ${LIMIT - 1}, or random`);
}
