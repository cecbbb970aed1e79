import { setTimeout as delay } from 'node:timers/promises';
import { type DeliveredMessage, readDelivery } from './delivered-message.js';
import { LogFollower } from './log-follower.js';
import type { LogPosition, StoredPosition } from './log-position.js';
import { MAX_REPORTED, type TransferReporter } from './transfer-reporter.js';

export interface DeliveryMeterOptions {
  /** Dovecot's log. */
  log: string;
  /** Milliseconds between two reads of the log; 1,000 by default. The deliveries of one read are sent in one report. */
  pollMs?: number;
  /** The longest backoff between attempts to report, in milliseconds; 30,000 by default. */
  maxPauseMs?: number;
  /** Called when a report failed or the log could not be read. Both are retried. */
  onTrouble?: (error: unknown) => void;
}

const DEFAULT_POLL_MS = 1_000;
const DEFAULT_MAX_PAUSE_MS = 30_000;
const FIRST_PAUSE_MS = 250;

/**
 * Counts inbound bytes: follows the log and reports its deliveries. The log position is saved after each report, and
 * each delivery has an id. Therefore a crash or a lost response neither loses a delivery nor counts it twice.
 */
export class DeliveryMeter {
  constructor(
    private readonly position: StoredPosition,
    private readonly reporter: TransferReporter,
    private readonly options: DeliveryMeterOptions,
  ) {}

  /**
   * Runs until `signal` aborts. Deliveries that are not reported by then are read again at the next start.
   *
   * @throws Error when the saved position cannot be read.
   */
  async run(signal: AbortSignal): Promise<void> {
    const follower = new LogFollower(this.options.log, await this.position.load());
    let saved: LogPosition | null = null;
    try {
      while (!signal.aborted) {
        const read = await this.untilDone(() => follower.read(), signal);
        if (read === undefined) return;
        if (read === null) {
          await this.pause(this.options.pollMs ?? DEFAULT_POLL_MS, signal);
          continue;
        }
        const { lines, position } = read;
        if (!(await this.report(lines, signal))) return;
        if (!isSame(position, saved)) {
          await this.untilDone(() => this.position.save(position), signal);
          saved = position;
        }
        if (lines.length === 0) await this.pause(this.options.pollMs ?? DEFAULT_POLL_MS, signal);
      }
    } finally {
      await follower.close();
    }
  }

  /** @returns false when `signal` aborted before everything was reported. */
  private async report(lines: readonly string[], signal: AbortSignal): Promise<boolean> {
    const deliveries = lines.map(readDelivery).filter((delivery) => delivery !== null);
    for (let start = 0; start < deliveries.length; start += MAX_REPORTED) {
      const batch: readonly DeliveredMessage[] = deliveries.slice(start, start + MAX_REPORTED);
      const done = await this.untilDone(async () => {
        await this.reporter.report(batch);
        return true;
      }, signal);
      if (done === undefined) return false;
    }
    return true;
  }

  /** Retries with growing backoff until it succeeds. @returns undefined when `signal` aborted. */
  private async untilDone<T>(act: () => Promise<T>, signal: AbortSignal): Promise<T | undefined> {
    const longest = this.options.maxPauseMs ?? DEFAULT_MAX_PAUSE_MS;
    for (let pauseMs = FIRST_PAUSE_MS; !signal.aborted; pauseMs *= 2) {
      try {
        return await act();
      } catch (error) {
        this.options.onTrouble?.(error);
        await this.pause(Math.min(pauseMs, longest), signal);
      }
    }
    return undefined;
  }

  private async pause(ms: number, signal: AbortSignal): Promise<void> {
    await delay(ms, undefined, { signal }).catch(() => undefined);
  }
}

function isSame(one: LogPosition, other: LogPosition | null): boolean {
  return one.inode === other?.inode && one.offset === other.offset && one.head === other.head;
}
