import { closesAt, latestMonth, monthsToChoose } from './usage-months.js';

describe('the months of usage', () => {
  it('begin with the month of the last day that has ended', () => {
    expect(latestMonth(new Date('2026-03-01T23:59:59Z'))).toBe('2026-02');
    expect(latestMonth(new Date('2026-03-02T00:00:00Z'))).toBe('2026-03');
    expect(latestMonth(new Date('2026-01-01T00:00:00Z'))).toBe('2025-12');
  });

  it('can be chosen for two years back, and the chosen one always', () => {
    const now = new Date('2026-03-31T12:00:00Z');
    const values = monthsToChoose(now, '2026-03').map(({ value }) => value);
    expect([values.length, values[0], values[1], values.at(-1)]).toEqual([24, '2026-03', '2026-02', '2024-04']);
    expect(monthsToChoose(now, '2020-05').at(-1)?.value).toBe('2020-05');
  });

  it('close on the fourth of the next month', () => {
    expect(closesAt('2026-03').toISOString()).toBe('2026-04-04T00:00:00.000Z');
    expect(closesAt('2026-12').toISOString()).toBe('2027-01-04T00:00:00.000Z');
  });
});
