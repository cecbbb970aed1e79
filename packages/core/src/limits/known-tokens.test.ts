import { HOUR_MS, MINUTE_MS } from '../clock.js';
import { FixedClock } from '../testing/fixed-clock.js';
import { KnownTokens } from './known-tokens.js';

describe('the tokens that were right', () => {
  let clock: FixedClock;
  let known: KnownTokens;

  beforeEach(() => {
    clock = new FixedClock();
    known = new KnownTokens(clock, 3_000);
  });

  it('are known for an hour after they were right for the last time', () => {
    known.remember('a', 1);
    clock.advance(30 * MINUTE_MS);
    known.remember('a', 1);
    clock.advance(HOUR_MS - 1);
    expect(known.has('a')).toBe(true);
    clock.advance(1);
    expect(known.has('a')).toBe(false);
  });

  it('are at most 1,000 of a partner; the oldest is forgotten, and those of others stay', () => {
    known.remember('other', 2);
    for (let token = 1; token <= 1_500; token += 1) known.remember(`t${token}`, 1);
    expect(known.size).toBe(1_001);
    expect(['t500', 't501', 't1500', 'other'].map((token) => known.has(token))).toEqual([false, true, true, true]);
  });

  it('are bounded over all partners; the oldest is forgotten', () => {
    for (let partner = 1; partner <= 5_000; partner += 1) known.remember(`p${partner}`, partner);
    expect(known.size).toBe(3_000);
    expect([known.has('p2000'), known.has('p2001')]).toEqual([false, true]);
  });

  it('leave the memory after an hour, while others are remembered', () => {
    for (let token = 1; token <= 900; token += 1) known.remember(`t${token}`, 1);
    clock.advance(HOUR_MS);
    for (let token = 1; token <= 500; token += 1) known.remember(`u${token}`, 2);
    expect(known.size).toBe(500);
  });
});
