import { MINUTE_MS } from '@mailstead/core/clock';
import { refusalIn } from './redis.js';
import { textOf } from './text-of.js';

/** More different texts in a minute are not logged. */
const TEXTS_PER_MINUTE = 20;

/**
 * Logs the errors of Redis and of BullMQ, each text once a minute, because they repeat as long as the trouble lasts.
 */
export class QueueErrors {
  private readonly logged = new Map<string, number>();
  private readonly listeners: ((refusal: string) => void)[] = [];

  /** @param log writes one line with the text */
  constructor(
    private readonly log: (text: string) => void,
    private readonly now = () => performance.now(),
  ) {}

  /** Calls `listener` with Redis' own words each time when it refused a command. */
  onRefusal(listener: (refusal: string) => void): void {
    this.listeners.push(listener);
  }

  /** Bound, because it is a listener of events. */
  readonly report = (error: unknown): void => {
    const refusal = refusalIn(error);
    this.logOnce(refusal ?? textOf(error));
    if (refusal !== null) for (const listener of this.listeners) listener(refusal);
  };

  private logOnce(text: string): void {
    const now = this.now();
    for (const [former, at] of this.logged) if (now - at >= MINUTE_MS) this.logged.delete(former);
    if (this.logged.has(text) || this.logged.size >= TEXTS_PER_MINUTE) return;
    this.logged.set(text, now);
    this.log(text);
  }
}
