import { MINUTE_MS, SECOND_MS } from '../clock.js';

/** Minutes whose new rows are remembered. */
const MOST_MINUTES = 1_500;

/**
 * How many new rows are kept: of all partners, by the minute in which the messages came (minutes since 1970). Rows are
 * counted when they are stored, so that a report that failed takes no room from its repeat.
 */
export class TrailRoom {
  private readonly byMinute = new Map<number, number>();

  /** @param rowsPerSecond null: no bound */
  constructor(private readonly rowsPerSecond: number | null) {}

  /** The rows that are left for a minute. */
  left(minute: number): number {
    if (this.rowsPerSecond === null) return Number.POSITIVE_INFINITY;
    return (this.rowsPerSecond * MINUTE_MS) / SECOND_MS - (this.byMinute.get(minute) ?? 0);
  }

  take(stored: ReadonlyMap<number, number>): void {
    if (this.rowsPerSecond === null) return;
    for (const [minute, rows] of stored) {
      const taken = this.byMinute.get(minute) ?? 0;
      // The minute that was written last is the last one of the map.
      this.byMinute.delete(minute);
      this.byMinute.set(minute, taken + rows);
    }
    for (const oldest of this.byMinute.keys()) {
      if (this.byMinute.size <= MOST_MINUTES) break;
      this.byMinute.delete(oldest);
    }
  }
}
