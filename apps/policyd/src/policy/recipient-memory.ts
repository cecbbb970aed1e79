const MAX_SESSIONS = 100_000;
/** The limit for all sessions together. A recipient takes about 100 bytes. */
const MAX_RECIPIENTS = 200_000;
/** Must exceed the time that an SMTP client may take from RCPT to the end of its data. */
const REMEMBERED_MS = 3_600_000;

/** Returns the same key for an SMTP session in the policy protocol and the milter protocol; null when the client is unknown. */
export function sessionKey(address = '', port = '', login = ''): string | null {
  if (address === '' || !/^\d+$/.test(port)) return null;
  return `${address.replace(/^IPv6:/i, '')} ${port} ${login.toLowerCase()}`;
}

interface Remembered {
  at: number;
  message: string;
  /** The number that each accepted recipient counted as. */
  countsAs: Map<string, number>;
  taken: number;
}

/**
 * Stores the number that each recipient of an unfinished message counted as when it was accepted. Earlier recipients of
 * a message reduce the headroom of later ones. The whole message counts at least these numbers, even if aliases changed
 * meanwhile. Entries are removed after an hour, or earlier, oldest first, when there are too many. A restart removes all
 * entries.
 */
export class RecipientMemory {
  private readonly sessions = new Map<string, Remembered>();
  private recipients = 0;

  constructor(private readonly now: () => number = Date.now) {}

  /** Adds a recipient of the session's current message; a session has one message at a time. */
  note(session: string, message: string, recipient: string, countsAs: number): void {
    const known = this.find(session, message) ?? this.begin(session, message);
    if (!known.countsAs.has(recipient)) this.recipients += 1;
    known.countsAs.set(recipient, Math.max(countsAs, known.countsAs.get(recipient) ?? 0));
    known.taken += countsAs;
    this.removeOldest();
  }

  /** Returns the number that the message's accepted recipients count as together. */
  taken(session: string, message: string): number {
    return this.find(session, message)?.taken ?? 0;
  }

  /** Returns the number that these recipients counted as together in the session's message. */
  countedAs(session: string, recipients: readonly string[]): number {
    const known = this.sessions.get(session)?.countsAs;
    return recipients.reduce((sum, recipient) => sum + (known?.get(recipient.toLowerCase()) ?? 0), 0);
  }

  private find(session: string, message: string): Remembered | undefined {
    const known = this.sessions.get(session);
    return known?.message === message ? known : undefined;
  }

  private begin(session: string, message: string): Remembered {
    this.forget(session);
    const begun = { at: this.now(), message, countsAs: new Map<string, number>(), taken: 0 };
    this.sessions.set(session, begun);
    return begun;
  }

  /** Removes the session after its message has ended. */
  forget(session: string): void {
    this.recipients -= this.sessions.get(session)?.countsAs.size ?? 0;
    this.sessions.delete(session);
  }

  private removeOldest(): void {
    for (const [session, { at }] of this.sessions) {
      const isFull = this.sessions.size > MAX_SESSIONS || this.recipients > MAX_RECIPIENTS;
      if (!isFull && at > this.now() - REMEMBERED_MS) return;
      this.forget(session);
    }
  }
}
