import { AppError } from '@mailstead/core/errors';
import { withTimeout } from '@mailstead/core/with-timeout';
import { type Reader, refuseGone } from './reader.js';

const RETRY_AFTER_S = 1;

interface Share {
  running: number;
  /** Start the statements that wait, in the order of their calls. */
  waiting: (() => void)[];
}

/** Limits how many statements of one partner run at once, so that one partner cannot take all connections. */
export class ReadShares {
  private readonly shares = new Map<number, Share>();

  /**
   * @param mostRunning statements of a partner that run at once.
   * @param mostWaiting statements of a partner that wait; further ones are refused.
   */
  constructor(
    private readonly mostRunning: number,
    private readonly mostWaiting: number,
  ) {}

  /** Runs the work when the partner's share has room. @throws AppError busy after `waitMs`; request_cancelled */
  async run<T>(reader: Reader, waitMs: number, work: () => Promise<T>): Promise<T> {
    const { partnerId } = reader;
    if (partnerId === null) {
      refuseGone(reader);
      return work();
    }
    const share = this.shares.get(partnerId) ?? { running: 0, waiting: [] };
    this.shares.set(partnerId, share);
    if (share.running < this.mostRunning) share.running += 1;
    else await this.wait(share, waitMs);
    try {
      refuseGone(reader);
      return await work();
    } finally {
      const next = share.waiting.shift();
      // Who waited takes over the place.
      if (next !== undefined) next();
      else {
        share.running -= 1;
        if (share.running === 0) this.shares.delete(partnerId);
      }
    }
  }

  private async wait({ waiting }: Share, waitMs: number): Promise<void> {
    const busy = () => new AppError('busy', { retryAfterS: RETRY_AFTER_S });
    if (waiting.length >= this.mostWaiting) throw busy();
    let start: () => void = () => undefined;
    const started = new Promise<void>((resolve) => {
      start = resolve;
    });
    waiting.push(start);
    await withTimeout(started, waitMs, () => {
      const place = waiting.indexOf(start);
      // Otherwise its turn came at the same moment.
      if (place === -1) return;
      waiting.splice(place, 1);
      throw busy();
    });
  }
}
