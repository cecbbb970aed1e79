import fc from '../../../../scripts/fast-check.mjs';
import { bounceRate, exceedsBounceRate, exceedsComplaintRate, rateLimits, windowStartDay } from './bounce-rule.js';

const options = { bounceRateLimit: 3, bounceMinSent: 50, complaintRateLimit: 0 };

describe('the limits of the rule', () => {
  it.each([
    [3, 0, 0.03, 0],
    [1.1, 0.3, 0.011, 0.003],
    [0, 0.0001, 0, 0.000001],
    [100, 7.7, 1, 0.077],
  ])('of %s and %s percent are the fractions %s and %s', (bounceRateLimit, complaintRateLimit, bounces, complaints) => {
    expect(rateLimits({ ...options, bounceRateLimit, complaintRateLimit })).toEqual({ bounces, complaints });
  });
});

describe('the bounce rule', () => {
  it.each([
    [3, 100, true],
    [3, 101, false],
    [29, 1_000, false],
    [30, 1_000, true],
    [299, 10_000, false],
    [300, 10_000, true],
    [2, 50, false],
    [3, 50, true],
    [3, 49, false],
    [9, 49, false],
    [10, 49, true],
    [10, 10, true],
    [10, 0, false],
  ])('for %i bounces of %i sent messages returns %s', (bounces, sent, expected) => {
    expect(exceedsBounceRate({ sent, bounces, complaints: 0 }, options)).toBe(expected);
  });

  it('takes the rate limit and the minimum number of sent messages from the settings', () => {
    const window = { sent: 1_000, bounces: 33, complaints: 0 };
    expect(exceedsBounceRate(window, { ...options, bounceRateLimit: 3.3 })).toBe(true);
    expect(exceedsBounceRate(window, { ...options, bounceRateLimit: 3.31 })).toBe(false);
    expect(exceedsBounceRate({ ...window, sent: 20, bounces: 3 }, { ...options, bounceMinSent: 20 })).toBe(true);
    expect(exceedsBounceRate(window, { ...options, bounceRateLimit: 0 })).toBe(false);
  });

  it('when exceeded, stays exceeded with more bounces; and is not exceeded without bounces', () => {
    fc.assert(
      fc.property(fc.nat(5_000), fc.nat(500), fc.nat(500), (sent, bounces, more) => {
        const before = exceedsBounceRate({ sent, bounces, complaints: 0 }, options);
        if (before) expect(exceedsBounceRate({ sent, bounces: bounces + more, complaints: 0 }, options)).toBe(true);
        expect(exceedsBounceRate({ sent, bounces: 0, complaints: 0 }, options)).toBe(false);
      }),
    );
  });

  it('blocks for complaints only when a limit is set and at least 1,000 messages were sent', () => {
    const window = { sent: 1_000, bounces: 0, complaints: 3 };
    expect(exceedsComplaintRate(window, options)).toBe(false);
    expect(exceedsComplaintRate(window, { ...options, complaintRateLimit: 0.3 })).toBe(true);
    expect(exceedsComplaintRate({ ...window, sent: 999 }, { ...options, complaintRateLimit: 0.1 })).toBe(false);
    expect(exceedsComplaintRate({ ...window, complaints: 2 }, { ...options, complaintRateLimit: 0.1 })).toBe(false);
  });

  it('has the rate 0 when nothing was sent', () => {
    expect(bounceRate({ sent: 0, bounces: 4, complaints: 0 })).toBe(0);
    expect(bounceRate({ sent: 50, bounces: 1, complaints: 0 })).toBe(0.02);
  });

  it('covers 30 UTC days, but no day before the last unblock', () => {
    const now = new Date('2026-03-31T23:59:00.000Z');
    expect(windowStartDay(now, null)).toBe('2026-03-02');
    expect(windowStartDay(now, new Date('2026-01-01T00:00:00.000Z'))).toBe('2026-03-02');
    expect(windowStartDay(now, new Date('2026-03-20T13:00:00.000Z'))).toBe('2026-03-20');
  });
});
