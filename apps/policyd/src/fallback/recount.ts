import type { Count, OutboundApi } from '../outbound-api.js';
import type { Journal } from './journal.js';
import type { PassedMessage } from './passed-messages.js';
import type { RefusalMemory } from './refusal-memory.js';

const ITEMS_PER_REQUEST = 500;
const RECIPIENTS_PER_REQUEST = 1_000;
const EVERY_MS = 2_000;

/** Counts the messages that passed while the API was unavailable, as soon as it is available again. */
export class Recount {
  private readonly timer: NodeJS.Timeout;
  private running: Promise<void> = Promise.resolve();
  private isRunning = false;
  private isStopping = false;

  constructor(
    private readonly journal: Journal,
    private readonly refusals: RefusalMemory,
    private readonly api: OutboundApi,
    private readonly onUncountable: (message: PassedMessage) => void,
  ) {
    this.timer = setInterval(() => this.run(), EVERY_MS);
  }

  /** Waits for the request in flight. The remaining messages stay in the journal. */
  async stop(): Promise<void> {
    this.isStopping = true;
    clearInterval(this.timer);
    await this.running;
    await this.refusals.saved().catch(() => undefined);
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
    let limit = ITEMS_PER_REQUEST;
    for (;;) {
      const items = fitting(this.journal.oldest(limit));
      if (items.length === 0 || this.isStopping) return;
      const outcome = await this.api.countAlreadySent(items.map(toCount));
      if (outcome === 'away') return;
      if (outcome === 'invalid' && items.length > 1) {
        limit = Math.ceil(items.length / 2);
        continue;
      }
      // An invalid message, for instance after an edit of the file, must not delay the others.
      if (outcome === 'invalid') for (const item of items) this.onUncountable(item);
      await this.journal.drop(items.length, Date.now());
      limit = ITEMS_PER_REQUEST;
    }
  }
}

/** Returns the first messages, as many as one request's recipients allow. */
function fitting(messages: readonly PassedMessage[]): PassedMessage[] {
  let recipients = 0;
  const end = messages.findIndex((message, index) => {
    recipients += message.recipients.length;
    return index > 0 && recipients > RECIPIENTS_PER_REQUEST;
  });
  return messages.slice(0, end === -1 ? messages.length : end);
}

function toCount({ domain, count, recipients, bytes, sender, id, forwarded }: PassedMessage): Count {
  return { domain, bytes, id, recipients, ...given({ count, sender, forwarded }) };
}

/** Returns the fields that are set. */
function given<T extends object>(fields: T): { [K in keyof T]?: NonNullable<T[K]> } {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as {
    [K in keyof T]?: NonNullable<T[K]>;
  };
}
