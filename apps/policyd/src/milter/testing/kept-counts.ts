import { type CountedMessage, type HeaderField, MessageCounter, type WholeMessage } from '../message-counter.js';

/** Stores the counted messages, and returns the reply that the test sets. Refuses a claim that is not in its list. */
export class KeptCounts extends MessageCounter {
  readonly messages: WholeMessage[] = [];
  /** The number of claims of each call. */
  readonly claims: number[] = [];
  /** The reply to every message; null accepts it. */
  reply: string | null = null;
  /** Whether a copy of every message leaves the platform. */
  leaves = true;
  /** The fields that every message gets. */
  added: HeaderField[] = [];
  /** Every call waits for this. */
  gate: Promise<void> = Promise.resolve();

  constructor(private readonly allowed: Record<string, readonly string[]>) {
    super();
  }

  override async count(message: WholeMessage): Promise<CountedMessage> {
    this.claims.push(message.claims.length);
    await this.gate;
    const foreign = message.claims.find((claim) => !(this.allowed[message.login] ?? []).includes(claim));
    if (foreign !== undefined) return { reply: `550 5.7.1 You may not send as <${foreign}>`, added: [], leaves: false };
    this.messages.push(message);
    return { reply: this.reply, added: this.added, leaves: this.leaves };
  }
}
