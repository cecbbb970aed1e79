import type { RateLimiter, RateRules, RateShare } from '../rate-limiter.js';

/** Turns every 100 ms, interactive ones every 200 ms. */
export const TEST_RULES: RateRules = {
  intervalMs: 100,
  interactiveIntervalMs: 200,
  maxWaitMs: { interactive: 250, background: 1_000 },
};

export interface RateLimiterFixture {
  limiter: RateLimiter;
  /** Milliseconds, of the clock the limiter goes by. */
  now(): number;
  close(): Promise<void>;
}

/** Takes one turn after the other, all asked for at once, and tells when each came or that it was refused. */
async function turnsOf(fixture: RateLimiterFixture, shares: RateShare[]): Promise<(number | 'refused')[]> {
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

  /** Late timers delay a turn but never bring it forward; the clocks may differ by a few milliseconds. */
  const expectSpaced = (turns: (number | 'refused')[], intervalMs: number) => {
    const times = turns.filter((turn) => turn !== 'refused').sort((a, b) => a - b);
    times.forEach((time, index) => expect(time).toBeGreaterThanOrEqual(index * intervalMs - 5));
    return times;
  };

  test('turns that are asked for at once come an interval apart', async () => {
    const turns = await turnsOf(
      fixture,
      Array.from({ length: 5 }, () => 'background'),
    );
    expect(expectSpaced(turns, 100)).toHaveLength(5);
  });

  test('interactive turns come at their own pace', async () => {
    const turns = await turnsOf(fixture, ['interactive', 'interactive']);
    expect(expectSpaced(turns, 200)).toHaveLength(2);
  });

  test('what would wait too long is refused', async () => {
    const turns = await turnsOf(
      fixture,
      Array.from({ length: 20 }, () => 'background'),
    );
    expect(turns).toContain('refused');
    expect(expectSpaced(turns, 100).length).toBeGreaterThan(5);
  });

  test('a person does not wait behind a long poll', async () => {
    const turns = await turnsOf(fixture, [...Array.from({ length: 6 }, () => 'background' as const), 'interactive']);
    expect(turns.at(-1)).not.toBe('refused');
    expectSpaced(turns, 100);
  });
}
