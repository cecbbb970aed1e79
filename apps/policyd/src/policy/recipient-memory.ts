const MAX_SESSIONS = 100_000;
/** Over all sessions: about 100 bytes each. */
const MAX_RECIPIENTS = 200_000;
/** Longer than an SMTP client may take from RCPT to the end of its data. */
const REMEMBERED_MS = 3_600_000;

/** One SMTP session of a mail server, as both the policy protocol and the milter protocol name it; null when it is not known. */
export function sessionKey(address = '', port = '', login = ''): string | null {
  if (address === '' || !/^\d+$/.test(port)) return null;
  return `${address.replace(/^IPv6:/i, '')} ${port} ${login.toLowerCase()}`;
}

interface Remembered {
  at: number;
  message: string;
  /** What each recipient that was let through counted as. */
  countsAs: Map<string, number>;
  taken: number;
}

/**
 * What the recipients of messages under way counted as when they were let through. A message's own recipients take from what
 * there is room for, and its end counts no fewer than its recipients stood for when Postfix took them, however its sender
 * changed aliases meanwhile. Forgotten after an hour, or the oldest when there are too many; a restart forgets all.
 */
export class RecipientMemory {
  private readonly sessions = new Map<string, Remembered>();
  private recipients = 0;

  constructor(private readonly now: () => number = Date.now) {}

  /** A session has one message at a time. */
  note(session: string, message: string, recipient: string, countsAs: number): void {
    const known = this.find(session, message) ?? this.begin(session, message);
    if (!known.countsAs.has(recipient)) this.recipients += 1;
    known.countsAs.set(recipient, Math.max(countsAs, known.countsAs.get(recipient) ?? 0));
    known.taken += countsAs;
    this.makeRoom();
  }

  /** What the recipients so far count as. */
  taken(session: string, message: string): number {
    return this.find(session, message)?.taken ?? 0;
  }

  /** What these recipients counted as in the session's message. */
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

  /** Its message is over. */
  forget(session: string): void {
    this.recipients -= this.sessions.get(session)?.countsAs.size ?? 0;
    this.sessions.delete(session);
  }

  private makeRoom(): void {
    for (const [session, { at }] of this.sessions) {
      const isFull = this.sessions.size > MAX_SESSIONS || this.recipients > MAX_RECIPIENTS;
      if (!isFull && at > this.now() - REMEMBERED_MS) return;
      this.forget(session);
    }
  }
}
