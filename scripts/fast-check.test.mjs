// @ts-check
import { jest } from '@jest/globals';

const given = { ...process.env };
afterEach(() => {
  process.env = { ...given };
  jest.resetModules();
});

/**
 * Returns what the tests of a run with the seed draw: samples, the cases of a property, and values one by one.
 * @param {string} seed
 */
async function drawnWith(seed) {
  process.env.MAILSTEAD_TEST_SEED = seed;
  jest.resetModules();
  const { default: fc, draws } = await import('./fast-check.mjs');
  /** @type {number[]} */
  const cases = [];
  fc.assert(
    fc.property(fc.nat(), (value) => {
      cases.push(value);
    }),
    { numRuns: 20 },
  );
  const [first, second] = [draws(), draws(1)];
  const indexes = Array.from({ length: 20 }, (_, index) => index);
  return [
    fc.sample(fc.nat(), 20),
    fc.sample(fc.nat(), { numRuns: 20 }),
    cases,
    indexes.map(() => first.below(1_000)),
    indexes.map(() => second.oneOf(indexes)),
  ];
}

describe('the cases that tests draw', () => {
  it('are the same ones for the same seed', async () => {
    expect(await drawnWith('7')).toEqual(await drawnWith('7'));
  });

  it('are other ones for another seed', async () => {
    const other = await drawnWith('8');
    for (const [index, drawn] of (await drawnWith('7')).entries()) expect(drawn).not.toEqual(other[index]);
  });

  it('are values in the limits that a test gives, each of them, and other ones for another number', async () => {
    const { draws } = await import('./fast-check.mjs');
    const { below, oneOf } = draws();
    const drawn = Array.from({ length: 200 }, () => below(4));
    expect(new Set(drawn)).toEqual(new Set([0, 1, 2, 3]));
    expect(new Set(Array.from({ length: 200 }, () => oneOf(['a', 'b'])))).toEqual(new Set(['a', 'b']));
    const other = draws(1);
    expect(drawn.map(() => other.below(4))).not.toEqual(drawn);
  });

  it('have characters of all of Unicode, without halves of pairs', async () => {
    const { CHARACTER, default: fc } = await import('./fast-check.mjs');
    const drawn = fc.sample(CHARACTER, 2_000);
    expect(drawn.filter((text) => !/^\P{Surrogate}$/u.test(text))).toEqual([]);
    const planes = new Set(drawn.map((text) => (text.codePointAt(0) ?? 0) >> 16));
    expect(planes.size).toBe(17);
    expect(drawn).toEqual(expect.arrayContaining(['\0', '\u{10ffff}']));
  });
});
