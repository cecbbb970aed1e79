const MAX_MESSAGES = 100_000;
/** Longer than an SMTP client may take from RCPT to the end of its data. */
const REMEMBERED_MS = 3_600_000;

interface Remembered {
  at: number;
  staying: Set<string>;
  leaving: Set<string>;
}

/** The recipients that were named in a message so far, by where their mail goes; forgotten at its end, or the oldest first. */
export class RecipientMemory {
  private readonly messages = new Map<string, Remembered>();

  constructor(private readonly now: () => number = Date.now) {}

  note(message: string, recipient: string, staysHere: boolean): void {
    const known = this.messages.get(message) ?? { at: this.now(), staying: new Set(), leaving: new Set() };
    (staysHere ? known.staying : known.leaving).add(recipient);
    if (!this.messages.has(message)) this.makeRoom();
    this.messages.set(message, known);
  }

  /** How many recipients leave the platform, and forgets the message; null when nobody was noted. */
  takeLeaving(message: string): number | null {
    const known = this.messages.get(message);
    this.messages.delete(message);
    return known === undefined ? null : known.leaving.size;
  }

  get size(): number {
    return this.messages.size;
  }

  private makeRoom(): void {
    for (const [message, { at }] of this.messages) {
      if (this.messages.size < MAX_MESSAGES && at > this.now() - REMEMBERED_MS) return;
      this.messages.delete(message);
    }
  }
}
