import { MessageCounter, type WholeMessage } from '../message-counter.js';

/** Stores the counted messages, and returns the reply that the test sets. */
export class KeptCounts extends MessageCounter {
  readonly messages: WholeMessage[] = [];
  /** The reply to every message; null accepts it. */
  reply: string | null = null;

  override async count(message: WholeMessage): Promise<string | null> {
    this.messages.push(message);
    return this.reply;
  }
}
