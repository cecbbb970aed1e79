import { type Clock, HOUR_MS, MINUTE_MS } from '@mailstead/core/clock';
import type { StoredCopies } from '@mailstead/core/counts/stored-copies';

/** A slice is small, so that the process can stop between two. */
const SLICES = 60;
const SLICES_PER_TURN = 6;

/**
 * Corrects copies in the first hour of a process. In that time processes of the former release, which do not write all
 * of them, may run beside it. The first turn, at once, looks at all domains, and each later one, every minute, at a
 * tenth of them; what the mail servers read is compared in each. `housekeeping` corrects copies after it.
 * @until 5.2
 */
export class FirstHourCorrection {
  private timer: NodeJS.Timeout | undefined;
  private running: Promise<void> | null = null;
  private turns = HOUR_MS / MINUTE_MS;
  private next = 0;
  private isStopped = false;

  /** After an error the next turn tries again, and `DatabaseCheck` reports the database. */
  constructor(
    private readonly copies: StoredCopies,
    private readonly clock: Clock,
  ) {}

  start(): void {
    this.timer = setInterval(() => this.turn(SLICES_PER_TURN), MINUTE_MS).unref();
    this.turn(SLICES);
  }

  /** Waits for the slice that is being corrected. Never rejects. */
  async stop(): Promise<void> {
    this.isStopped = true;
    clearInterval(this.timer);
    await this.running;
  }

  private turn(slices: number): void {
    this.turns -= 1;
    if (this.turns <= 0) clearInterval(this.timer);
    this.running ??= this.correct(slices)
      .catch(() => undefined)
      .finally(() => {
        this.running = null;
      });
  }

  private async correct(slices: number): Promise<void> {
    await this.copies.correctMailServers();
    for (let done = 0; done < slices && !this.isStopped; done += 1) {
      const remainder = this.next % SLICES;
      await this.copies.correct({ of: SLICES, remainder }, this.clock.now());
      // After an error the same slice is tried again.
      this.next += 1;
    }
  }
}
