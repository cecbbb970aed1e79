import { MessageCounter, type WholeMessage } from '../message-counter.js';

/** Keeps what it is told to count, and answers what the test says. */
export class KeptCounts extends MessageCounter {
  readonly messages: WholeMessage[] = [];
  /** Null lets messages pass. */
  reply: string | null = null;

  override async count(message: WholeMessage): Promise<string | null> {
    this.messages.push(message);
    return this.reply;
  }
}
