import { SECOND_MS } from '@mailstead/core/clock';
import type { RateLimits } from '@mailstead/core/limits/rate-limits';
import type { SharedBuckets } from '@mailstead/core/limits/shared-buckets';

const SETTLE_EVERY_MS = SECOND_MS / 4;
/** The shortest time between two settlements. */
const URGENT_AFTER_MS = 20;
/** Redis needs about 3 ms for a script with as many buckets, and does nothing else meanwhile. */
const BUCKETS_PER_SETTLEMENT = 1_000;

/**
 * Settles the rates of this process with those of the other processes: four times a second, and after 20 ms when this
 * process took much from a bucket. An idle process settles too, so that the others know of it. No request waits for it.
 * While the shared buckets cannot be reached, this process limits by itself; the next settlement that succeeds ends
 * that.
 */
export class BucketSettlement {
  private timer: NodeJS.Timeout | undefined;
  private urgentTimer: NodeJS.Timeout | undefined;
  private isSettling = false;
  private settledAt = 0;

  constructor(
    private readonly limits: RateLimits,
    private readonly shared: SharedBuckets,
  ) {}

  start(): void {
    this.limits.share(() => this.settleSoon());
    this.timer = setInterval(() => void this.settle(), SETTLE_EVERY_MS).unref();
    void this.settle();
  }

  stop(): void {
    clearInterval(this.timer);
    clearTimeout(this.urgentTimer);
    this.shared.close();
  }

  /** Settles now, unless a settlement runs. Never rejects. */
  async settle(): Promise<void> {
    if (this.isSettling) return;
    const spendings = this.limits.unsettled(BUCKETS_PER_SETTLEMENT);
    this.isSettling = true;
    this.settledAt = performance.now();
    try {
      const { levels, processes } = await this.shared.settle(spendings);
      this.limits.settle(spendings, levels, processes);
    } catch {
      this.limits.settleAlone(spendings);
    } finally {
      this.isSettling = false;
    }
  }

  private settleSoon(): void {
    if (this.urgentTimer !== undefined) return;
    const waitMs = Math.max(0, this.settledAt + URGENT_AFTER_MS - performance.now());
    this.urgentTimer = setTimeout(() => {
      this.urgentTimer = undefined;
      void this.settle();
    }, waitMs).unref();
  }
}
