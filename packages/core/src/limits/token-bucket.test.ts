import fc from '../../../../scripts/fast-check.mjs';
import { TokenBucket } from './token-bucket.js';

const SIZE = { capacity: 300, perSecond: 100 };

describe('a token bucket', () => {
  it('lets pass, over any time, at most what it held and what flowed in, and the last charge', () => {
    const requests = fc.array(
      fc.record({ afterMs: fc.integer({ min: -50, max: 5_000 }), amount: fc.integer({ min: 1, max: 1_000 }) }),
      { maxLength: 200 },
    );
    fc.assert(
      fc.property(requests, (each) => {
        let now = 1_000_000;
        const start = now;
        let latest = now;
        const bucket = new TokenBucket(SIZE, now);
        let taken = 0;
        for (const { afterMs, amount } of each) {
          now += afterMs;
          latest = Math.max(latest, now);
          const isOpen = bucket.levelAt(now) > 0;
          expect(bucket.levelAt(now)).toBeLessThanOrEqual(SIZE.capacity);
          if (!isOpen) continue;
          // A clock that went back fills the time that it goes through again, so it is counted twice here.
          const backwards = each.reduce((sum, { afterMs: ms }) => sum + Math.max(0, -ms), 0);
          const flowedIn = ((latest - start + backwards) / 1_000) * SIZE.perSecond;
          expect(taken).toBeLessThan(SIZE.capacity + flowedIn + 1e-6);
          bucket.take(amount, now);
          taken += amount;
        }
      }),
    );
  });

  it('opens again after the time in which its debt flows in, to the millisecond', () => {
    fc.assert(
      fc.property(fc.integer({ min: SIZE.capacity + 1, max: 100_000 }), (amount) => {
        const bucket = new TokenBucket(SIZE, 0);
        bucket.take(amount, 0);
        expect(bucket.levelAt((amount - SIZE.capacity) * 10 - 1)).toBeLessThanOrEqual(0);
        expect(bucket.levelAt((amount - SIZE.capacity) * 10 + 1)).toBeGreaterThan(0);
        expect(bucket.levelAt(bucket.openInS(0) * 1_000 + 1)).toBeGreaterThan(0);
      }),
    );
  });

  it('says when it is full, and is full then, not before', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 10_000 }), (amount) => {
        const bucket = new TokenBucket(SIZE, 0);
        bucket.take(amount, 0);
        expect(bucket.isFull(bucket.fullInS(0) * 1_000)).toBe(true);
        expect(bucket.isFull(amount * 10 - 1)).toBe(false);
      }),
    );
  });

  it('opens again in time when the clock went back while it was empty', () => {
    const bucket = new TokenBucket(SIZE, 3_600_000);
    bucket.take(SIZE.capacity, 3_600_000);
    expect(bucket.levelAt(0)).toBeLessThanOrEqual(0);
    expect(bucket.levelAt(bucket.openInS(0) * 1_000 + 1)).toBeGreaterThan(0);
  });

  it('never fills because the clock went back', () => {
    const bucket = new TokenBucket(SIZE, 100_000);
    bucket.take(400, 100_000);
    expect(bucket.levelAt(0)).toBe(-100);
  });
});
