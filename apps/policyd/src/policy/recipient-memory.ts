const MAX_MESSAGES = 100_000;
/** Over all messages: about 100 bytes each. */
const MAX_RECIPIENTS = 200_000;
/** Longer than an SMTP client may take from RCPT to the end of its data. */
const REMEMBERED_MS = 3_600_000;

interface Remembered {
  at: number;
  /** Recipients that were let through and are not on the platform. */
  leaving: Set<string>;
  /** Every recipient was looked at, none let through by a daemon before this one or while the API was away. */
  isWhole: boolean;
}

/**
 * The recipients that were let through in a message so far, by where their mail goes; after an hour, or when there are too
 * many, the oldest messages are forgotten. They are kept beyond the end of the message: Postfix asks again about an end whose
 * answer it did not get, and must hear the same.
 */
export class RecipientMemory {
  private readonly messages = new Map<string, Remembered>();
  private recipients = 0;

  constructor(private readonly now: () => number = Date.now) {}

  /** A recipient was let through of whom nobody knows where the mail goes: from now on all of them count. */
  noteUnknown(message: string): void {
    const known = this.messages.get(message) ?? { at: this.now(), leaving: new Set<string>(), isWhole: false };
    known.isWhole = false;
    this.messages.set(message, known);
    this.makeRoom();
  }

  /** @param isFirst nobody was let through in this message before: Postfix has no queue id for it yet. */
  note(message: string, recipient: string, staysHere: boolean, isFirst: boolean): void {
    const known = this.messages.get(message) ?? { at: this.now(), leaving: new Set<string>(), isWhole: isFirst };
    this.messages.set(message, known);
    if (!staysHere && !known.leaving.has(recipient)) {
      known.leaving.add(recipient);
      this.recipients += 1;
    }
    this.makeRoom();
  }

  /** How many recipients leave the platform; null when that is not known of all of them. */
  leaving(message: string): number | null {
    const known = this.messages.get(message);
    return known?.isWhole === true ? known.leaving.size : null;
  }

  private makeRoom(): void {
    for (const [message, { at, leaving }] of this.messages) {
      const isFull = this.messages.size > MAX_MESSAGES || this.recipients > MAX_RECIPIENTS;
      if (!isFull && at > this.now() - REMEMBERED_MS) return;
      this.messages.delete(message);
      this.recipients -= leaving.size;
    }
  }
}
