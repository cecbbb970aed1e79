import { SECOND_MS } from '../clock.js';

/**
 * At most this many deliveries of an endpoint are on their way, each at most this number of places behind the oldest of
 * them: so none arrives more than three places out of order.
 */
const IN_FLIGHT = 4;
/** At most this many begin in a second. */
const PER_SECOND = 10;

export type Sleep = (ms: number) => Promise<void>;

/** Starts the deliveries of one endpoint in their order, few at a time and few a second. */
export class WalkPace {
  private starts: number[] = [];
  /** The last ones that began, the oldest first, until they have ended and others follow. */
  private readonly running: Promise<void>[] = [];
  private unended = 0;

  constructor(
    private readonly sleep: Sleep,
    private readonly now: () => number = () => performance.now(),
  ) {}

  /** Whether no delivery is on its way and none began within the last second, as if it were new. */
  get isFresh(): boolean {
    return this.unended === 0 && this.now() - (this.starts.at(-1) ?? Number.NEGATIVE_INFINITY) >= SECOND_MS;
  }

  /** Resolves when a delivery may begin. */
  async ready(most = IN_FLIGHT): Promise<void> {
    while (this.running.length >= most) await this.running.shift();
    const oldest = this.starts.at(-PER_SECOND);
    const wait = oldest === undefined ? 0 : oldest + SECOND_MS - this.now();
    if (wait > 0) await this.sleep(wait);
  }

  /** Begins a delivery, after `ready`. It must not reject. */
  begin(work: () => Promise<void>): void {
    this.starts = [...this.starts.slice(1 - PER_SECOND), this.now()];
    this.unended += 1;
    const run = work().finally(() => {
      this.unended -= 1;
    });
    this.running.push(run);
  }

  async end(): Promise<void> {
    await Promise.all(this.running.splice(0));
  }
}
