// @ts-check
import fc from 'fast-check';
import { seedOfRun } from './test-seed.mjs';

/**
 * Chooses the cases of every test that draws them, by fast-check or by `draws`: the same ones for the same number.
 * `npm test` sets it.
 */
export const SEED = seedOfRun(process.env.MAILSTEAD_TEST_SEED);

fc.configureGlobal({ seed: SEED });

export default fc;

/**
 * Values for a test that cannot know beforehand how many it needs. `below` returns a whole number from 0 to less than
 * `limit`.
 * @typedef {{ below: (limit: number) => number, oneOf: <Item>(items: readonly Item[]) => Item }} Draws
 */

/**
 * @param {number} [number] Another number has other values.
 * @returns {Draws}
 */
export function draws(number = 0) {
  const [draw] = fc.sample(fc.gen(), { seed: SEED + number, numRuns: 1, unbiased: true });
  if (draw === undefined) throw new Error('fast-check drew nothing');
  return {
    below: (limit) => draw(fc.nat, { max: limit - 1 }),
    oneOf: (items) => draw(() => fc.constantFrom(...items)),
  };
}
