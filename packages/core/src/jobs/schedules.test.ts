import { cronOf, latestPeriod, nextPeriod, SCHEDULES } from './schedules.js';

const at = (text: string) => new Date(`${text}Z`);

describe('the newest due period', () => {
  it.each([
    ['outbound.reset-daily', '2026-03-15T00:00:00.000', '2026-03-15T00'],
    ['outbound.reset-daily', '2026-03-14T23:59:59.999', '2026-03-14T00'],
    ['outbound.reset-monthly', '2026-03-01T00:00:00.000', '2026-03-01T00'],
    ['outbound.reset-monthly', '2026-02-28T23:59:59.999', '2026-02-01T00'],
    ['outbound.reset-monthly', '2026-01-01T00:00:00.000', '2026-01-01T00'],
    ['retention.purge', '2026-03-15T02:59:59.999', '2026-03-14T03'],
    ['retention.purge', '2026-03-15T03:00:00.000', '2026-03-15T03'],
    ['verification.poll', '2026-03-15T13:59:59.999', '2026-03-15T12'],
    ['verification.poll', '2026-03-15T14:00:00.000', '2026-03-15T14'],
  ] as const)('of %s at %s is %s', (name, now, key) => {
    expect(latestPeriod(SCHEDULES[name], at(now)).key).toBe(key);
  });

  it('is followed by the next period, across months and years', () => {
    expect(nextPeriod(SCHEDULES['outbound.reset-monthly'], at('2026-12-31T12:00:00')).key).toBe('2027-01-01T00');
    expect(nextPeriod(SCHEDULES['outbound.reset-daily'], at('2026-12-31T12:00:00')).key).toBe('2027-01-01T00');
    expect(nextPeriod(SCHEDULES['retention.purge'], at('2026-03-15T02:00:00')).key).toBe('2026-03-15T03');
  });

  it('is described by a cron expression', () => {
    expect(Object.values(SCHEDULES).map(cronOf)).toEqual([
      '0 0 * * *',
      '20 0 * * *',
      '40 0 * * *',
      '0 1 * * *',
      '40 1 * * *',
      '0 0 1 * *',
      '0 3 * * *',
      '0 4 * * *',
      '0 2 * * *',
      '0 6 * * *',
      '0 */2 * * *',
      '0 5 * * *',
      '0 * * * *',
      '0 * * * *',
      '0 * * * *',
    ]);
  });
});
