import { Clock, HOUR_MS, MINUTE_MS } from '@mailstead/core/clock';
import { needs } from '@mailstead/core/needs';
import { Database } from '../driver/database.js';
import { InstallationRow, readInstallation } from '../installation/installation.js';

/** The row of `installation` with the time of the last write, epoch milliseconds. */
export const LAST_WRITE = 'last_write_at';
/** How old the stored time may be. A clock that is behind by less is not noticed after a restart. */
const STORE_EVERY_MS = MINUTE_MS;
const MAX_LEAP_MS = HOUR_MS;

/**
 * Judges the clock of a machine without a second clock: against the time of the last write, and against the monotonic
 * clock of the running process.
 */
@needs(Database, Clock)
export class EmbeddedClock {
  /**
   * Clock minus monotonic clock, when the clock was first found right; a clock that is corrected after the start is no
   * leap.
   */
  private offsetMs: number | null = null;

  /** @param monotonic milliseconds since any point in time, by a clock that nobody sets */
  constructor(
    private readonly database: Database,
    private readonly clock: Clock,
    private readonly monotonic = () => performance.now(),
  ) {}

  /**
   * @param maxSkewMs how far the clock may be behind
   * @returns what is wrong; null when nothing is
   * @throws AppError database_unavailable
   */
  async wrong(maxSkewMs: number): Promise<string | null> {
    const now = this.clock.now().getTime();
    const last = Number((await readInstallation(this.database, LAST_WRITE)) ?? 0);
    if (now < last - maxSkewMs) {
      return `The clock is ${secondsOf(last - now)} s behind the last write; set it, or run DELETE /jobs/future-periods when it is right`;
    }
    this.offsetMs ??= now - this.monotonic();
    const leapMs = now - this.monotonic() - this.offsetMs;
    if (Math.abs(leapMs) > MAX_LEAP_MS) {
      return `The clock leapt by ${secondsOf(leapMs)} s while the process ran; set it back, or start the process again when it is right`;
    }
    if (now - last >= STORE_EVERY_MS) await this.store(now);
    return null;
  }

  /** A disk that is full is reported by another check. */
  private async store(now: number): Promise<void> {
    const insert = this.database.manager
      .createQueryBuilder()
      .insert()
      .into(InstallationRow)
      .values({ name: LAST_WRITE, value: String(now) });
    await insert
      .orUpdate(['value'], ['name'])
      .execute()
      .catch(() => undefined);
  }
}

function secondsOf(ms: number): number {
  return Math.round(ms / 1_000);
}
