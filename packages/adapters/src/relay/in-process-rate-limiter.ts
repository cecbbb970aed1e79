import { type Booking, RateLimiter, type RateRules, type RateShare, type Sleep } from './rate-limiter.js';

/** Limits the calls of one process, for an installation where only one process calls the provider. */
export class InProcessRateLimiter extends RateLimiter {
  private nextAt = 0;
  private nextInteractiveAt = 0;

  /** @param monotonicMs a clock that never goes backwards, milliseconds */
  constructor(
    rules: RateRules,
    sleep?: Sleep,
    private readonly monotonicMs: () => number = () => performance.now(),
  ) {
    super(rules, sleep);
  }

  // The script in `RedisRateLimiter` has the same rules: change both.
  protected override async book(share: RateShare, maxWaitMs: number): Promise<Booking> {
    const now = Math.floor(this.monotonicMs());
    const interactive = share === 'interactive';
    if (interactive && this.nextInteractiveAt > now) return { booked: false, waitMs: this.nextInteractiveAt - now };
    const waitMs = Math.max(0, this.nextAt - now);
    const leadMs = interactive ? maxWaitMs : Math.min(maxWaitMs, this.rules.intervalMs);
    if (waitMs > leadMs) return { booked: false, waitMs: interactive ? waitMs : waitMs - leadMs };
    this.nextAt = now + waitMs + this.rules.intervalMs;
    if (interactive) this.nextInteractiveAt = now + waitMs + this.rules.interactiveIntervalMs;
    return { booked: true, waitMs };
  }
}
