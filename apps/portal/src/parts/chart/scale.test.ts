import { labelledDays, niceMaximum } from './scale.js';

describe('the scale of a chart', () => {
  it.each([
    [0, 1],
    [1, 1],
    [2, 2],
    [3, 4],
    [4.5, 5],
    [10, 10],
    [11, 20],
    [399, 400],
    [401, 500],
    [501, 1_000],
    [1_000_001, 2_000_000],
  ])('ends for %s at %s', (count, maximum) => {
    expect(niceMaximum(count)).toBe(maximum);
  });

  it('has the date of the last day and of each seventh before it', () => {
    expect(labelledDays(Array.from({ length: 15 }, (_, day) => String(day)))).toEqual(['0', '7', '14']);
  });
});
