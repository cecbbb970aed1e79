import type { Count, OutboundApi } from '../outbound-api.js';
import type { Journal, JournalEntry } from './journal.js';
import type { RefusalMemory } from './refusal-memory.js';

const ITEMS_PER_REQUEST = 500;
const EVERY_MS = 2_000;

/** Counts what passed while the API was away, as soon as it is back. */
export class Recount {
  private readonly timer: NodeJS.Timeout;
  private running: Promise<void> = Promise.resolve();
  private isRunning = false;

  constructor(
    private readonly journal: Journal,
    private readonly refusals: RefusalMemory,
    private readonly api: OutboundApi,
  ) {
    this.timer = setInterval(() => this.run(), EVERY_MS);
  }

  /** Ends a run that is under way; what is left stays in the journal. */
  async stop(): Promise<void> {
    clearInterval(this.timer);
    await this.running;
    await this.refusals.saved();
    await this.journal.close();
  }

  private run(): void {
    if (this.isRunning) return;
    this.isRunning = true;
    this.running = this.recount()
      .catch(() => undefined)
      .finally(() => {
        this.isRunning = false;
      });
  }

  private async recount(): Promise<void> {
    for (let items = this.oldest(); items.length > 0; items = this.oldest()) {
      if (!(await this.api.record(items.map(toCount)))) return;
      await this.journal.drop(items.length, Date.now());
    }
  }

  private oldest() {
    return this.journal.oldest(ITEMS_PER_REQUEST);
  }
}

function toCount({ domain, count, bytes, sender, id }: JournalEntry): Count {
  return { domain, count, bytes, sender, id };
}
