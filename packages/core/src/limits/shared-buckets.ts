import type { Spending } from './rate-limits.js';

export interface SettledBuckets {
  /** The level of each bucket for all processes, in the order of the spendings. */
  levels: number[];
  /** The number of processes that settled within the last seconds, this one included. */
  processes: number;
}

/** The token buckets that several processes share. */
export abstract class SharedBuckets {
  /**
   * Takes from all buckets at once, with one call.
   *
   * @throws Error when the buckets cannot be reached in time
   */
  abstract settle(spendings: readonly Spending[]): Promise<SettledBuckets>;
  abstract close(): void;
}
