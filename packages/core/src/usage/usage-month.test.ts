import { nextMonth, oldestMonthWithDays } from './usage-month.js';

describe('the oldest month with days', () => {
  it.each([
    ['2026-07-03T23:59:59.999Z', '2026-03'],
    ['2026-07-04T00:00:00.000Z', '2026-04'],
    ['2026-07-31T23:59:59.999Z', '2026-04'],
    ['2027-01-03T23:59:59.999Z', '2026-09'],
    ['2027-01-04T00:00:00.000Z', '2026-10'],
    ['2026-05-31T12:00:00.000Z', '2026-02'],
  ])('at %s is %s, because the one before it has been closed for three months', (now, month) => {
    expect(oldestMonthWithDays(new Date(now))).toBe(month);
  });
});

it('the month after December is January of the next year', () => {
  expect(['2026-11', '2026-12'].map(nextMonth)).toEqual(['2026-12', '2027-01']);
});
