import { setTimeout as delay } from 'node:timers/promises';
import { AppError } from '@mailstead/core/errors';

/** On whose behalf a call is made: of a person who waits for the answer (`interactive`), or of a job (`background`). */
export type RateShare = 'interactive' | 'background';

/** The calls that a provider allows, as the adapter of that provider sets them. */
export interface RateRules {
  /** The time from one call to the next, milliseconds. */
  intervalMs: number;
  /** The time from one interactive call to the next, milliseconds: the rest of the rate is left to the background. */
  interactiveIntervalMs: number;
  /** The longest that a call may wait until it is made, milliseconds. */
  maxWaitMs: Record<RateShare, number>;
}

/** `booked`: the call may be made after `waitMs`. Otherwise no call was booked, and none can be before `waitMs`. */
export interface Booking {
  booked: boolean;
  waitMs: number;
}

export type Sleep = (ms: number) => Promise<unknown>;

/**
 * Spaces the calls to the provider evenly, in one schedule of slots. Interactive calls book slots ahead, as far as they
 * may wait, but at their own interval; background calls book at most one slot ahead and then try again. So a long poll
 * never delays a person's call by more than one slot, and people's calls never stop the poll.
 */
export abstract class RateLimiter {
  constructor(
    protected readonly rules: RateRules,
    private readonly sleep: Sleep = delay,
  ) {}

  /** Returns when the call may be made. @throws AppError relay_unavailable at once when the wait would be too long. */
  async take(share: RateShare): Promise<void> {
    let leftMs = this.rules.maxWaitMs[share];
    for (;;) {
      const { booked, waitMs } = await this.book(share, leftMs);
      if (waitMs > leftMs) {
        throw new AppError('relay_unavailable', { detail: 'Too many questions for the relay provider; try again' });
      }
      if (waitMs > 0) await this.sleep(waitMs);
      if (booked) return;
      leftMs -= waitMs;
    }
  }

  /** Books the next slot if it comes within `maxWaitMs`. `waitMs` is whole, and at least 1 where nothing was booked. */
  protected abstract book(share: RateShare, maxWaitMs: number): Promise<Booking>;
}
