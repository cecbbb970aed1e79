import type { RateLimiter, RateRules, RateShare } from '../rate-limiter.js';

/** A slot every 100 ms, an interactive slot every 200 ms. */
export const TEST_RULES: RateRules = {
  intervalMs: 100,
  interactiveIntervalMs: 200,
  maxWaitMs: { interactive: 250, background: 1_000 },
};

export interface RateLimiterFixture {
  limiter: RateLimiter;
  /** The time of the limiter's clock, milliseconds. */
  now(): number;
  close(): Promise<void>;
}

/** Requests all slots at once. @reslots for each, the milliseconds until `take` resolved, or `refused` */
async function slotsOf(fixture: RateLimiterFixture, shares: RateShare[]): Promise<(number | 'refused')[]> {
  const start = fixture.now();
  return Promise.all(
    shares.map((share) =>
      fixture.limiter.take(share).then(
        () => fixture.now() - start,
        () => 'refused' as const,
      ),
    ),
  );
}

export function rateLimiterContract(open: () => Promise<RateLimiterFixture>): void {
  let fixture: RateLimiterFixture;

  beforeEach(async () => {
    fixture = await open();
  });
  afterEach(() => fixture.close());

  /** Late timers may delay a slot. The 5 ms allow for the difference between the clocks. */
  const expectSpaced = (slots: (number | 'refused')[], intervalMs: number) => {
    const times = slots.filter((slot) => slot !== 'refused').sort((a, b) => a - b);
    times.forEach((time, index) => expect(time).toBeGreaterThanOrEqual(index * intervalMs - 5));
    return times;
  };

  test('slots that are requested at once are an interval apart', async () => {
    const slots = await slotsOf(
      fixture,
      Array.from({ length: 5 }, () => 'background'),
    );
    expect(expectSpaced(slots, 100)).toHaveLength(5);
  });

  test('interactive slots have their own interval', async () => {
    const slots = await slotsOf(fixture, ['interactive', 'interactive']);
    expect(expectSpaced(slots, 200)).toHaveLength(2);
  });

  test('a call that would wait too long is refused', async () => {
    const slots = await slotsOf(
      fixture,
      Array.from({ length: 100 }, () => 'background'),
    );
    expect(slots).toContain('refused');
    expect(expectSpaced(slots, 100).length).toBeGreaterThan(5);
  });

  test('an interactive call does not wait for a long poll', async () => {
    const slots = await slotsOf(fixture, [...Array.from({ length: 6 }, () => 'background' as const), 'interactive']);
    expect(slots.at(-1)).not.toBe('refused');
    expectSpaced(slots, 100);
  });
}
