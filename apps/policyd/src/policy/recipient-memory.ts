const MAX_SESSIONS = 100_000;
/** The limit for all sessions together. A recipient takes about 100 bytes. */
const MAX_RECIPIENTS = 200_000;
/** Must exceed the time that an SMTP client may take from RCPT to the end of its data. */
const REMEMBERED_MS = 3_600_000;

/**
 * Returns the same key for an SMTP session in the policy protocol and the milter protocol; null when the client is
 * unknown.
 */
export function sessionKey(address = '', port = '', login = ''): string | null {
  if (address === '' || !/^\d+$/.test(port)) return null;
  return `${address.replace(/^IPv6:/i, '')} ${port} ${login.toLowerCase()}`;
}

/** A message whose recipients are being sent. A session has one at a time. */
export interface UnfinishedMessage {
  /** By `sessionKey`. */
  session: string;
  /** Postfix's `instance`, the same for all recipients of a message; empty when the mail server sent none. */
  instance: string;
}

interface Remembered {
  at: number;
  instance: string;
  /** The number that each accepted recipient counted as. */
  countsAs: Map<string, number>;
  taken: number;
  /** The headroom of the message's last preview; 0 before the first one. Infinite when no limit is enforced. */
  headroom: number;
  /** True when the limits allow no further recipient of the message. */
  isFull: boolean;
}

/**
 * Stores the number that each recipient of an unfinished message counted as when it was accepted. Earlier recipients of
 * a message reduce the headroom of later ones; those outside the platform then need no further preview. The whole
 * message counts at least these numbers, even if aliases changed meanwhile. Entries are removed after an hour, or
 * earlier, oldest first, when there are too many. A restart removes all entries.
 */
export class RecipientMemory {
  private readonly sessions = new Map<string, Remembered>();
  private recipients = 0;

  constructor(private readonly now: () => number = Date.now) {}

  /** Adds an accepted recipient. */
  note(message: UnfinishedMessage, recipient: string, countsAs: number): void {
    const known = this.find(message) ?? this.begin(message);
    if (!known.countsAs.has(recipient)) this.recipients += 1;
    known.countsAs.set(recipient, Math.max(countsAs, known.countsAs.get(recipient) ?? 0));
    known.taken += countsAs;
    this.removeOldest();
  }

  /** Whether a recipient of this message was accepted before. */
  has(message: UnfinishedMessage, recipient: string): boolean {
    return this.find(message)?.countsAs.has(recipient) === true;
  }

  /** Whether a limit has deferred a recipient of this message. */
  isFull(message: UnfinishedMessage): boolean {
    return this.find(message)?.isFull === true;
  }

  /** Stores that a limit deferred a recipient that counts as one. */
  noteFull(message: UnfinishedMessage): void {
    const known = this.find(message);
    if (known !== undefined) known.isFull = true;
  }

  /** Stores the headroom of a preview. @param headroom null when no limit is enforced. */
  noteHeadroom(message: UnfinishedMessage, headroom: number | null): void {
    const known = this.find(message) ?? this.begin(message);
    known.headroom = headroom ?? Number.POSITIVE_INFINITY;
    this.removeOldest();
  }

  /** Returns the part of the last preview's headroom that the message's accepted recipients leave. */
  remaining(message: UnfinishedMessage): number {
    const known = this.find(message);
    return known === undefined ? 0 : Math.max(0, known.headroom - known.taken);
  }

  /** Returns the number that these recipients counted as together in the session's message. */
  countedAs(session: string, recipients: readonly string[]): number {
    const known = this.sessions.get(session)?.countsAs;
    return recipients.reduce((sum, recipient) => sum + (known?.get(recipient.toLowerCase()) ?? 0), 0);
  }

  private find({ session, instance }: UnfinishedMessage): Remembered | undefined {
    const known = this.sessions.get(session);
    return known?.instance === instance ? known : undefined;
  }

  private begin({ session, instance }: UnfinishedMessage): Remembered {
    this.forget(session);
    const begun = {
      at: this.now(),
      instance,
      countsAs: new Map<string, number>(),
      taken: 0,
      headroom: 0,
      isFull: false,
    };
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
