import { caseNumbers, sampled, sampleSize } from './sampled.js';

describe('the cases of a sampled test', () => {
  const given = { ...process.env };
  afterEach(() => {
    process.env = { ...given };
  });
  const chosenBy = (seed: number) => {
    process.env.MAILSTEAD_TESTS = 'quick';
    return sampled(caseNumbers(100), 5, seed);
  };

  it('are all of them in a slow run', () => {
    process.env.MAILSTEAD_TESTS = 'slow';
    expect(sampled(caseNumbers(100), 5)).toEqual(caseNumbers(100));
  });

  it('are a few different ones in a quick run, the same ones for the same seed', () => {
    expect(new Set(chosenBy(1)).size).toBe(5);
    expect(chosenBy(1)).toEqual(chosenBy(1));
  });

  it('are each chosen by some seed', () => {
    const chosen = new Set(caseNumbers(1_000).flatMap((seed) => chosenBy(seed)));
    expect([...chosen].sort((left, right) => left - right)).toEqual(caseNumbers(100));
  });

  it('are as many as the run asks for when they are random', () => {
    expect(
      ['slow', 'quick'].map((tests) => {
        process.env.MAILSTEAD_TESTS = tests;
        return sampleSize(20_000, 2_000);
      }),
    ).toEqual([20_000, 2_000]);
  });

  it('are all of them when there are fewer', () => {
    process.env.MAILSTEAD_TESTS = 'quick';
    expect(sampled(['a', 'b'], 5).sort()).toEqual(['a', 'b']);
  });
});
