import { SECOND_MS } from '@mailstead/core/clock';
import { withTimeout } from '@mailstead/core/with-timeout';

/** Eight heartbeats before a worker counts as stopped. */
const BEAT_EVERY_MS = 15 * SECOND_MS;
const STOP_WITHIN_MS = SECOND_MS;

/** Stores the heartbeat of this process at once and then every 15 seconds, until it stops. */
export class HeartbeatTimer {
  private timer: NodeJS.Timeout | undefined;
  private running: Promise<void> | null = null;

  /**
   * @param beat stores the heartbeat. After an error the next turn tries again, and `DatabaseCheck` reports the
   * database.
   * @param end called once after the last turn
   */
  constructor(
    private readonly beat: () => Promise<void>,
    private readonly end: () => Promise<void>,
  ) {}

  start(): void {
    this.turn();
    this.timer = setInterval(() => this.turn(), BEAT_EVERY_MS).unref();
  }

  /** Never rejects, and takes at most a few seconds. */
  async stop(): Promise<void> {
    clearInterval(this.timer);
    const ended = async () => {
      await this.running;
      await this.end();
    };
    await withTimeout(ended(), STOP_WITHIN_MS, () => undefined).catch(() => undefined);
  }

  private turn(): void {
    this.running ??= this.beat()
      .catch(() => undefined)
      .finally(() => {
        this.running = null;
      });
  }
}
