import { setTimeout as delay } from 'node:timers/promises';
import { SECOND_MS } from '@mailstead/core/clock';
import { AppError } from '@mailstead/core/errors';

/** Who waits for the answer: a person (`interactive`), or a job (`background`). */
export type RateShare = 'interactive' | 'background';

export interface RateRules {
  /** The time from one call to the next, milliseconds. */
  intervalMs: number;
  /** The time from one interactive call to the next: what is left of the rate is for the background. */
  interactiveIntervalMs: number;
  /** How long a call may wait for its turn, milliseconds. */
  maxWaitMs: Record<RateShare, number>;
}

/** SES allows about one control-plane call a second for an account and region; readers may take half of them. */
const SES_RATE_RULES: RateRules = {
  intervalMs: SECOND_MS,
  interactiveIntervalMs: 2 * SECOND_MS,
  maxWaitMs: { interactive: 3 * SECOND_MS, background: 30 * SECOND_MS },
};

/** `booked`: the turn comes after `waitMs`. Otherwise nothing was booked, and asking again before `waitMs` is in vain. */
export interface Booking {
  booked: boolean;
  waitMs: number;
}

export type Sleep = (ms: number) => Promise<unknown>;

/**
 * Spaces the calls to the provider evenly. There is one row of turns. Interactive calls book ahead in it, as far as they
 * may wait, but only at their own pace; background calls book no further ahead than one turn and ask again, so a long
 * poll never makes a person wait behind it, and people never stop the poll.
 */
export abstract class RateLimiter {
  constructor(
    protected readonly rules: RateRules = SES_RATE_RULES,
    private readonly sleep: Sleep = delay,
  ) {}

  /** Returns when the call may be made. @throws AppError relay_unavailable at once when that would take too long. */
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

  /** Books the next turn if it comes within `maxWaitMs`; whole milliseconds, at least one where nothing was booked. */
  protected abstract book(share: RateShare, maxWaitMs: number): Promise<Booking>;
}
