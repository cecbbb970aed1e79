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

/** Where the halves of pairs begin, which are no characters, and how many there are. */
const HALVES = { first: 0xd800, count: 0x800 };

/**
 * Any character of Unicode, for `fc.string({ unit: CHARACTER })`: the same as the unit `binary`, whose table of all
 * characters takes a second of each worker, and 100 MB.
 */
export const CHARACTER = fc
  .nat(0x10ffff - HALVES.count)
  .map((index) => String.fromCodePoint(index < HALVES.first ? index : index + HALVES.count));

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
