import { setTimeout as delay } from 'node:timers/promises';
import { AppError } from '@mailstead/core/errors';

/** The origin of a call: a request of a person who waits for the response (`interactive`), or a job (`background`). */
export type RateShare = 'interactive' | 'background';

/** The rate that a provider allows. The adapter of the provider defines it. */
export interface RateRules {
  /** The least time between two calls, milliseconds. */
  intervalMs: number;
  /** The least time between two interactive calls, milliseconds. Background calls use the rest of the rate. */
  interactiveIntervalMs: number;
  /** The longest time that a call may wait for its slot, milliseconds. */
  maxWaitMs: Record<RateShare, number>;
}

/**
 * With `booked`, the call may be made after `waitMs`. Without, no slot was booked, and none is free before `waitMs`.
 */
export interface Booking {
  booked: boolean;
  waitMs: number;
}

export type Sleep = (ms: number) => Promise<unknown>;

/**
 * Spaces the calls to the provider evenly: each call books a time slot. An interactive call books a slot as far ahead
 * as it may wait, but interactive slots have a longer interval. A background call books at most one slot ahead;
 * otherwise it waits and tries again. So a long poll delays an interactive call by at most one slot, and interactive
 * calls never stop the poll.
 */
export abstract class RateLimiter {
  constructor(
    protected readonly rules: RateRules,
    private readonly sleep: Sleep = delay,
  ) {}

  /**
   * Resolves when the call may be made.
   *
   * @throws AppError relay_unavailable, at once, when the wait would be too long
   */
  async take(share: RateShare): Promise<void> {
    let leftMs = this.rules.maxWaitMs[share];
    for (;;) {
      const { booked, waitMs } = await this.book(share, leftMs);
      if (waitMs > leftMs) {
        throw new AppError('relay_unavailable', { detail: 'Too many calls to the relay provider; try again' });
      }
      if (waitMs > 0) await this.sleep(waitMs);
      if (booked) return;
      leftMs -= waitMs;
    }
  }

  /**
   * Books the next slot if it is within `maxWaitMs`. `waitMs` is an integer, and at least 1 when no slot was booked.
   */
  protected abstract book(share: RateShare, maxWaitMs: number): Promise<Booking>;
}
