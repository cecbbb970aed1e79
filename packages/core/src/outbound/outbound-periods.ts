/** Tables whose old rows are deleted. */
export type OutboundRows = 'increments' | 'senders' | 'days';

/**
 * Changes over all domains: closing periods and deleting old rows. Uses set-based statements in chunks, and may be
 * interrupted.
 */
export abstract class OutboundPeriods {
  /** Starts a new day on every counter. Must run in a unit of work. @returns the number of counters that were not 0. */
  abstract resetDay(day: string): Promise<number>;
  /**
   * Starts a new month on every counter. The old counters are closed and still have to be frozen. Must run in a unit of
   * work.
   * @returns the number of closed counters.
   */
  abstract resetMonth(now: Date): Promise<number>;
  /** @returns the number of domains that sent mail on an ended day. */
  abstract countDay(day: string): Promise<number>;
  /**
   * Freezes all closed counters, those of an earlier month or epoch, into the history. Live counters are not touched.
   * Each chunk is a short transaction, so it must not run inside a unit of work. Yields the number of counters that
   * each chunk froze.
   */
  abstract freezeClosed(now: Date, counters: { perChunk: number }): AsyncGenerator<number>;
  /** Deletes up to `limit` rows older than `before`. @returns the number of deleted rows. */
  abstract deleteOld(rows: OutboundRows, before: Date, limit: number): Promise<number>;
}
