import { type Booking, RateLimiter, type RateShare } from '../rate-limiter.js';

/** Allows every call at once, and records its share in `taken`. */
export class UnlimitedRate extends RateLimiter {
  readonly taken: RateShare[] = [];

  constructor() {
    super({ intervalMs: 0, interactiveIntervalMs: 0, maxWaitMs: { interactive: 0, background: 0 } });
  }

  protected override async book(share: RateShare): Promise<Booking> {
    this.taken.push(share);
    return { booked: true, waitMs: 0 };
  }
}
