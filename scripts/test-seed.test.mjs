// @ts-check
import { seedOfRun } from './test-seed.mjs';

describe('the seed of a run of tests', () => {
  it('is the same in every run', () => {
    expect(seedOfRun(undefined)).toBe(seedOfRun(undefined));
  });

  it('is the one of an earlier run that is asked for', () => {
    expect(['0', '7', '2147483647'].map(seedOfRun)).toEqual([0, 7, 2_147_483_647]);
  });

  it('is drawn when a random one is asked for', () => {
    const drawn = Array.from({ length: 20 }, () => seedOfRun('random'));
    expect(new Set(drawn).size).toBeGreaterThan(1);
    for (const seed of drawn) expect(seedOfRun(String(seed))).toBe(seed);
  });

  it.each(['', ' 7', '-1', '1.5', '1e3', 'x', '2147483648'])('is not taken from what is no seed: "%s"', (given) => {
    expect(() => seedOfRun(given)).toThrow(
      `MAILSTEAD_TEST_SEED is ${given}: it must be a whole number from 0 to 2147483647, or random`,
    );
  });
});
