import { HOUR_MS, MINUTE_MS } from '@mailstead/core/clock';

/**
 * Corrects the rows of `mta_domain` every minute in the first hour of a process. In that time processes of the former release,
 * which do not write them, may run beside it. `housekeeping` corrects them after it.
 */
export class MtaDomainMender {
  private timer: NodeJS.Timeout | undefined;
  private running: Promise<void> | null = null;
  private turns = HOUR_MS / MINUTE_MS;

  /** @param mend after an error the next turn tries again, and `DatabaseCheck` reports the database */
  constructor(private readonly mend: () => Promise<unknown>) {}

  start(): void {
    this.timer = setInterval(() => this.turn(), MINUTE_MS).unref();
  }

  /** Waits for the last turn. Never rejects. */
  async stop(): Promise<void> {
    clearInterval(this.timer);
    await this.running;
  }

  private turn(): void {
    this.turns -= 1;
    if (this.turns <= 0) clearInterval(this.timer);
    this.running ??= this.mend()
      .then(
        () => undefined,
        () => undefined,
      )
      .finally(() => {
        this.running = null;
      });
  }
}
