import { type Booking, RateLimiter, type RateShare } from '../rate-limiter.js';

/** Lets every call through, and remembers on whose behalf it was. */
export class UnlimitedRate extends RateLimiter {
  readonly taken: RateShare[] = [];

  protected override async book(share: RateShare): Promise<Booking> {
    this.taken.push(share);
    return { booked: true, waitMs: 0 };
  }
}
