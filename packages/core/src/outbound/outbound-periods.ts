/** Tables whose old rows are deleted. */
export type OutboundRows = 'increments' | 'senders' | 'days';

/** Work over all domains: closing periods and deleting old rows. Set-based, in chunks, and safe to interrupt. */
export abstract class OutboundPeriods {
  /** Starts a new day on every counter. Call it in a unit of work. @returns how many counters were not 0. */
  abstract raiseDayEpoch(day: string): Promise<number>;
  /** Starts a new month on every counter. The old ones are closed, and not frozen yet. Call it in a unit of work. @returns how many it closed. */
  abstract raiseMonthEpoch(now: Date): Promise<number>;
  /** How many domains sent on a day that has ended. */
  abstract countDay(day: string): Promise<number>;
  /**
   * Freezes all closed counters into the history: those of an earlier month or epoch, never a live one. Each chunk is a short
   * transaction of its own, so it must not run inside a unit of work. Yields how many each chunk froze.
   */
  abstract freezeClosed(now: Date, counters: { perChunk: number }): AsyncGenerator<number>;
  /** Deletes up to `limit` rows older than `before`. @returns how many. */
  abstract deleteOld(rows: OutboundRows, before: Date, limit: number): Promise<number>;
}
