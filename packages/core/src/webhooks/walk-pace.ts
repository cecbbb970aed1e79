import { SECOND_MS } from '../clock.js';

/** At most this many deliveries of an endpoint are on their way. */
const IN_FLIGHT = 4;
/** At most this many begin in a second. */
const PER_SECOND = 10;

export type Sleep = (ms: number) => Promise<void>;

/** Starts the deliveries of one endpoint in their order, few at a time and few a second. */
export class WalkPace {
  private readonly starts: number[] = [];
  private readonly running = new Set<Promise<void>>();

  constructor(
    private readonly sleep: Sleep,
    private readonly now: () => number = () => performance.now(),
  ) {}

  /** Resolves when the delivery may begin. `work` runs after that, while the caller goes on. It must not reject. */
  async begin(work: () => Promise<void>, most = IN_FLIGHT): Promise<void> {
    while (this.running.size >= most) await Promise.race(this.running);
    if (this.starts.length >= PER_SECOND) {
      const wait = (this.starts.shift() ?? 0) + SECOND_MS - this.now();
      if (wait > 0) await this.sleep(wait);
    }
    this.starts.push(this.now());
    const run = work().finally(() => this.running.delete(run));
    this.running.add(run);
  }

  async end(): Promise<void> {
    await Promise.all(this.running);
  }
}
