/**
 * Gives positions to committed events (`docs/decisions/0011-event-positions.md`). Any process may do it at any time:
 * the row with the last position is locked meanwhile.
 */
export abstract class EventPositions {
  /**
   * Gives positions to at most `limit` events in one transaction.
   *
   * @returns the number of events. Fewer than `limit`: none was left when it looked.
   */
  abstract give(limit: number): Promise<number>;
  /** When the oldest event without a position happened; null when all have one. */
  abstract oldestWithout(): Promise<Date | null>;
}
