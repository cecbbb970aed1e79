/** A set of rows that is deleted when it is old. */
export type OutboundRows = 'increments' | 'senders' | 'days';

/** Closing periods and forgetting old rows, over all domains: set-based, in chunks, resumable. */
export abstract class OutboundPeriods {
  /** Starts a new day on every counter. In a unit of work. @returns how many counters were not 0. */
  abstract raiseDayEpoch(day: string): Promise<number>;
  /** Starts a new month on every counter; the old ones are closed, not yet frozen. In a unit of work. @returns how many were closed. */
  abstract raiseMonthEpoch(now: Date): Promise<number>;
  /** How many domains sent on a day that is over. */
  abstract countDay(day: string): Promise<number>;
  /**
   * Freezes all counters that are closed now into the history: those of an earlier month or epoch, never a live one. In
   * chunks, each a short transaction of its own, so it must not run inside a unit of work. @returns how many, by chunk.
   */
  abstract freezeClosed(now: Date, counters: { perChunk: number }): AsyncGenerator<number>;
  /** Deletes up to `limit` rows from before the moment. @returns how many. */
  abstract deleteOld(rows: OutboundRows, before: Date, limit: number): Promise<number>;
}
