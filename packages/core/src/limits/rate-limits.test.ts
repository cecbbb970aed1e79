import fc from '../../../../scripts/fast-check.mjs';
import { SECOND_MS } from '../clock.js';
import { FixedClock } from '../testing/fixed-clock.js';
import { RateLimits, type Spender, type Spending } from './rate-limits.js';

const ofKey = (partnerId: number, keyId: number): Spender => ({ partnerId, share: 'key', holder: `k${keyId}` });
const ACME = ofKey(1, 1);
const ACME_TOO = ofKey(1, 2);
const ACME_THIRD = ofKey(1, 3);
const OTHER = ofKey(2, 4);

describe('the rates of partners', () => {
  let clock: FixedClock;
  let limits: RateLimits;

  beforeEach(() => {
    clock = new FixedClock();
    limits = new RateLimits(100, clock);
  });

  const passes = (spender: Spender, of = limits): boolean => {
    try {
      of.admit(spender);
      return true;
    } catch {
      return false;
    }
  };
  const passed = (spender: Spender, requests: number, of = limits): number =>
    Array.from({ length: requests }, () => passes(spender, of)).filter(Boolean).length;
  const remaining = (spender: Spender) => limits.statesOf(spender).map((state) => state.remaining);

  it('let one key use half of the bucket of its partner, and all keys together all of it', () => {
    expect([ACME, ACME_TOO, ACME_THIRD].map((key) => passed(key, 400))).toEqual([150, 150, 0]);
    clock.advance(SECOND_MS);
    expect([ACME, ACME_TOO, ACME_THIRD].map((key) => passed(key, 400))).toEqual([50, 50, 0]);
  });

  it('do not let one partner use what belongs to another', () => {
    passed(ACME, 1_000);
    expect(passed(OTHER, 150)).toBe(150);
  });

  it('refuse with the seconds to wait, after which a request passes', () => {
    passed(ACME, 150);
    limits.admit(ACME_TOO);
    limits.admitItems(ACME_TOO, 500);
    // 300 - 150 - 500 = -350 for the partner; 150 - 500 = -350 for the key, which fills half as fast.
    expect(() => limits.admit(ACME_TOO)).toThrow(expect.objectContaining({ code: 'rate_limited', retryAfterS: 7 }));
    clock.advance(7 * SECOND_MS);
    expect(passes(ACME_TOO)).toBe(false);
    clock.advance(1);
    expect(passes(ACME_TOO)).toBe(true);
  });

  it('let every size of a bulk request pass while the buckets are above zero, also the last request', () => {
    passed(ACME, 149);
    limits.admit(ACME);
    limits.admitItems(ACME, 500);
    expect(remaining(ACME)).toEqual([0, 0]);
    expect(passes(ACME)).toBe(false);
  });

  it('refuse the items of a bulk request whose bucket others emptied after it was admitted, and charge nothing', () => {
    limits.admit(ACME);
    limits.admit(ACME);
    limits.admitItems(ACME, 500);
    const before = limits.statesOf(ACME);
    expect(() => limits.admitItems(ACME, 500)).toThrow(expect.objectContaining({ code: 'rate_limited' }));
    expect(limits.statesOf(ACME)).toEqual(before);
  });

  it('do not grow with partners that are idle', () => {
    for (let id = 1; id <= 10_000; id += 1) {
      clock.advance(100);
      limits.admit(ofKey(id, id));
    }
    expect(limits.size).toBeLessThan(50);
  });

  it('limit nothing when the rate is 0', () => {
    const off = new RateLimits(0, clock);
    expect(passed(ACME, 10_000, off)).toBe(10_000);
    expect([off.isOn, off.size]).toEqual([false, 0]);
  });

  describe('of several processes', () => {
    /** The level of each bucket for all processes, as Redis keeps it. */
    class Shared {
      private readonly levels = new Map<string, { level: number; at: number }>();

      constructor(private readonly of: FixedClock) {}

      apply(spendings: Spending[]): number[] {
        const now = this.of.now().getTime();
        return spendings.map(({ key, size, spent, ceiling }) => {
          const { level, at } = this.levels.get(key) ?? { level: size.capacity, at: now };
          const filled = level + ((now - at) / SECOND_MS) * size.perSecond;
          const next = Math.min(size.capacity, ceiling, filled) - spent;
          this.levels.set(key, { level: next, at: now });
          return next;
        });
      }
    }

    const settle = (process: RateLimits, shared: Shared, processes: number) => {
      const spendings = process.unsettled(1_000);
      process.settle(spendings, shared.apply(spendings), processes);
    };

    it('together exceed the rate of a partner by at most a tenth, however the requests are spread', () => {
      const steps = fc.array(
        fc.record({ process: fc.integer({ min: 0, max: 2 }), requests: fc.integer({ min: 0, max: 60 }) }),
        { minLength: 30, maxLength: 120 },
      );
      fc.assert(
        fc.property(steps, (each) => {
          const time = new FixedClock();
          const shared = new Shared(time);
          const processes = Array.from({ length: 3 }, () => new RateLimits(100, time));
          const urgent = new Set<RateLimits>();
          for (const process of processes) {
            process.share(() => urgent.add(process));
            settle(process, shared, 3);
          }
          let admitted = 0;
          let most = 0;
          const started = time.now().getTime();
          for (const { process, requests } of each) {
            const used = processes[process] ?? limits;
            // Two keys, so that the bucket of the partner is what limits.
            for (let request = 0; request < requests; request += 1) {
              if (passes(request % 2 === 0 ? ACME : ACME_TOO, used)) admitted += 1;
              if (request % 5 === 4 && urgent.delete(used)) settle(used, shared, 3);
            }
            const allowed = 300 + ((time.now().getTime() - started) / SECOND_MS) * 100;
            most = Math.max(most, admitted / allowed);
            time.advance(20);
            for (const late of processes) settle(late, shared, 3);
          }
          expect(most).toBeLessThanOrEqual(1.1);
        }),
        { numRuns: 50 },
      );
    });

    it('give one of them all of the bucket when the others are idle', () => {
      const shared = new Shared(clock);
      limits.share(() => {});
      settle(limits, shared, 4);
      let admitted = 0;
      for (let round = 0; round < 40; round += 1) {
        admitted += passed(ACME, 5) + passed(ACME_TOO, 5);
        settle(limits, shared, 4);
      }
      expect(admitted).toBe(300);
    });

    it('go on by themselves while they cannot settle, and do not fill up when they can again', () => {
      const shared = new Shared(clock);
      limits.share(() => {});
      settle(limits, shared, 2);
      for (let second = 0; second < 60; second += 1) {
        const admitted = passed(ACME, 200) + passed(ACME_TOO, 200);
        if (second > 0) expect(admitted).toBe(100);
        limits.settleAlone(limits.unsettled(1_000));
        clock.advance(SECOND_MS);
      }
      passed(ACME, 200);
      settle(limits, shared, 2);
      clock.advance(10);
      expect(passed(ACME, 200)).toBeLessThanOrEqual(2);
    });
  });
});
