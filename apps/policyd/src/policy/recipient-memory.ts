import { EntriesByAge } from '../entries-by-age.js';
import type { PreviewVerdict } from '../outbound-api.js';

const MAX_SESSIONS = 100_000;
/** The limit for all sessions together. A recipient takes about 100 bytes. */
const MAX_RECIPIENTS = 200_000;
/** Must exceed the time that an SMTP client may take from RCPT to the end of its data. */
const REMEMBERED_MS = 3_600_000;
/** How long the last preview decides about later recipients: a change of suppressions has its effect after it. */
const PREVIEW_MS = 2_000;

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
  /** The domain of the login; empty without a login. */
  domain: string;
}

interface Remembered {
  at: number;
  instance: string;
  domain: string;
  /** The number that each accepted recipient counted as. */
  countsAs: Map<string, number>;
  taken: number;
  /** The headroom of the message's last preview; 0 before the first one. Infinite when no limit is enforced. */
  headroom: number;
  /** When that preview was answered; long ago before the first one. */
  previewedAt: number;
  /** True when the last preview said that each recipient must be asked about. */
  asksAboutEach: boolean;
  /** True when the limits allow no further recipient of the message. */
  isFull: boolean;
  /** The replies to recipients that were refused for themselves. */
  refused: Map<string, { reply: string; at: number }>;
}

/**
 * Stores the number that each recipient of an unfinished message counted as when it was accepted. Earlier recipients of
 * a message reduce the headroom of later ones; those outside the platform then need no further preview. The whole
 * message counts at least these numbers, even if aliases changed meanwhile. Entries are removed after an hour, or
 * earlier, oldest first, when there are too many. A restart removes all entries.
 */
export class RecipientMemory {
  private readonly sessions = new EntriesByAge<Remembered>();
  private recipients = 0;
  /** By domain: what the accepted recipients of its unfinished messages counted as. */
  private readonly open = new Map<string, number>();

  constructor(private readonly now: () => number = () => performance.now()) {}

  /** Adds an accepted recipient. */
  note(message: UnfinishedMessage, recipient: string, countsAs: number): void {
    const known = this.find(message) ?? this.begin(message);
    if (!known.countsAs.has(recipient)) this.recipients += 1;
    known.countsAs.set(recipient, Math.max(countsAs, known.countsAs.get(recipient) ?? 0));
    known.taken += countsAs;
    this.addOpen(known.domain, countsAs);
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

  /** Stores the headroom of a preview, and whether each recipient must be asked about. */
  notePreview(
    message: UnfinishedMessage,
    { headroom, each_recipient }: Pick<PreviewVerdict, 'headroom' | 'each_recipient'>,
  ): void {
    const known = this.find(message) ?? this.begin(message);
    known.headroom = headroom ?? Number.POSITIVE_INFINITY;
    known.asksAboutEach = each_recipient === true;
    known.previewedAt = this.now();
    this.removeOldest();
  }

  /** Whether the message's last preview is new enough to decide about its later recipients. */
  isPreviewed(message: UnfinishedMessage): boolean {
    return this.now() - (this.find(message)?.previewedAt ?? Number.NEGATIVE_INFINITY) <= PREVIEW_MS;
  }

  /** Whether the message's last preview said that each recipient must be asked about. */
  asksAboutEach(message: UnfinishedMessage): boolean {
    return this.find(message)?.asksAboutEach === true;
  }

  /**
   * Returns what the accepted recipients of the domain's unfinished messages count as together. A message that was
   * given up is unfinished until the next one of its session, or until its entry is removed.
   */
  openOf(domain: string): number {
    return this.open.get(domain) ?? 0;
  }

  /** Stores that a recipient was refused, whatever happens to others. */
  noteRefused(message: UnfinishedMessage, recipient: string, reply: string): void {
    const known = this.find(message) ?? this.begin(message);
    if (!known.refused.has(recipient)) this.recipients += 1;
    known.refused.set(recipient, { reply, at: this.now() });
    this.removeOldest();
  }

  /** The reply to a recipient of this message that was refused just now; null for others. */
  refusalOf(message: UnfinishedMessage, recipient: string): string | null {
    const refused = this.find(message)?.refused.get(recipient);
    return refused === undefined || refused.at <= this.now() - PREVIEW_MS ? null : refused.reply;
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

  private begin({ session, instance, domain }: UnfinishedMessage): Remembered {
    this.forget(session);
    const begun = {
      at: this.now(),
      instance,
      domain,
      countsAs: new Map<string, number>(),
      taken: 0,
      headroom: 0,
      previewedAt: Number.NEGATIVE_INFINITY,
      asksAboutEach: false,
      isFull: false,
      refused: new Map<string, { reply: string; at: number }>(),
    };
    this.sessions.set(session, begun);
    return begun;
  }

  /** Removes the session after its message has ended. */
  forget(session: string): void {
    const known = this.sessions.get(session);
    if (known === undefined) return;
    this.recipients -= known.countsAs.size + known.refused.size;
    this.addOpen(known.domain, -known.taken);
    this.sessions.delete(session);
  }

  private addOpen(domain: string, countsAs: number): void {
    const open = this.openOf(domain) + countsAs;
    if (open === 0) this.open.delete(domain);
    else this.open.set(domain, open);
  }

  private removeOldest(): void {
    for (let { oldest } = this.sessions; oldest !== undefined; { oldest } = this.sessions) {
      const isFull = this.sessions.size > MAX_SESSIONS || this.recipients > MAX_RECIPIENTS;
      const { at = 0 } = this.sessions.get(oldest) ?? {};
      if (!isFull && at > this.now() - REMEMBERED_MS) return;
      this.forget(oldest);
    }
  }
}
