/** Between two, milliseconds: a screen that fails again at once shall not take the whole processor. */
const LEAST_MS = 1_000;
/** So many in a row; then the visitor decides. */
const MOST = 5;
/** After so long without one, milliseconds, a new row begins. */
const QUIET_MS = 10_000;

/** When a screen that failed may be mounted anew. Times are milliseconds of one clock. */
export class Remounts {
  private inRow = 0;
  private lastAt = Number.NEGATIVE_INFINITY;

  /** @returns how long to wait, milliseconds; null when it was mounted too often in a row */
  waitMs(now: number): number | null {
    const isQuiet = now - this.lastAt >= QUIET_MS;
    return !isQuiet && this.inRow >= MOST ? null : Math.max(0, this.lastAt + LEAST_MS - now);
  }

  /** A screen was mounted anew. */
  note(now: number): void {
    this.inRow = now - this.lastAt >= QUIET_MS ? 1 : this.inRow + 1;
    this.lastAt = now;
  }
}
