import { HOUR_MS, SECOND_MS } from '../clock.js';
import { nextAttemptAt } from './retry-schedule.js';

const now = new Date('2026-03-15T12:00:00.000Z');
const waitMs = (attempts: number) => (nextAttemptAt(attempts, now)?.getTime() ?? Number.NaN) - now.getTime();

describe('the retry schedule', () => {
  test('tries at once, then after longer and longer waits, ten times', () => {
    expect(waitMs(0)).toBe(0);
    expect(waitMs(1)).toBe(5 * SECOND_MS);
    expect(waitMs(9)).toBe(24 * HOUR_MS);
    for (let attempts = 1; attempts < 10; attempts += 1) expect(waitMs(attempts)).toBeGreaterThan(waitMs(attempts - 1));
  });

  test('ends after the tenth attempt', () => {
    expect(nextAttemptAt(10, now)).toBeNull();
    expect(nextAttemptAt(11, now)).toBeNull();
  });
});
