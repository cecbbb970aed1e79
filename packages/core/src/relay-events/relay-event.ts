import type { BounceKind } from '../outbound/bounce-rule.js';

export type RelayEventKind = 'bounce' | 'complaint' | 'other';
export type BounceType = 'permanent' | 'transient' | 'undetermined';

/**
 * The subtypes of SES for messages that it never tried to deliver, because the recipient is on a list of the account or
 * the tenant, is no valid address, or unsubscribed. SES does not count them in its rates. (It does count `Suppressed`,
 * from its global list.)
 */
const NEVER_ATTEMPTED: ReadonlySet<string> = new Set([
  'OnAccountSuppressionList',
  'OnTenantSuppressionList',
  'EmailValidationSuppressed',
  'UnsubscribedRecipient',
]);

export function isNeverAttempted(subType: string | null): boolean {
  return subType !== null && NEVER_ATTEMPTED.has(subType);
}

/** A report about one message after the relay provider accepted it. The fields are the same for every provider. */
export interface RelayEvent {
  /**
   * The provider's id of this event. A repeated delivery has the same id (SNS `MessageId`, Standard Webhooks
   * `webhook-id`).
   */
  providerId: string;
  /** `other`: an event that is never counted, such as a delivery, a delay, an open or a rejection. */
  kind: RelayEventKind;
  /** Null unless the kind is `bounce`. A type that the parser does not know is `undetermined` too. */
  bounceType: BounceType | null;
  /**
   * Whether the provider tried to deliver the message. Providers do not count other bounces and complaints in their
   * rates, and Mailstead does not either.
   */
  attempted: boolean;
  /** The provider's name of the kind of bounce or complaint, for diagnosis only; null when the provider gives none. */
  subType: string | null;
  /** Whether the recipient withdrew a complaint. */
  notSpam: boolean;
  /** The provider's id of the message. */
  messageId: string;
  /** When the provider accepted the message. */
  sentAt: Date;
  /**
   * The domain on which the event is counted: that of the envelope sender, which submission checked against the login,
   * or the one that the provider gives instead. Null when that is not a domain name. It is never an ancestor of that
   * domain and never the domain of the header From, because one partner could then cause the block of another partner.
   */
  sourceDomain: string | null;
  /** Lower case, each once. */
  recipients: string[];
  /** Recipients as the provider wrote them, where that differs from `recipients`; absent: none does. */
  spellings?: ReadonlyMap<string, string>;
  /** The envelope sender; null when the provider does not give it. */
  sender: string | null;
  /**
   * What the server of each recipient said, or the kind of the complaint. For diagnosis only; recipients may be
   * missing.
   */
  diagnostics: ReadonlyMap<string, string>;
  /** The enhanced status code of each recipient's bounce (RFC 3463), such as `5.1.1`; recipients may be missing. */
  statuses: ReadonlyMap<string, string>;
  /**
   * The number of recipients that the provider names. Absent: as many as `recipients`, which are a part of them
   * otherwise.
   */
  named?: number;
  /** Whether the message is a read receipt, or another one of the null sender; absent: not, or not known. */
  isReceipt?: boolean;
  /** The value of the tag `mailstead`, which our mail server gave the message; absent or null: none. */
  tag?: string | null;
  /** When the bounce, complaint, delivery or delay happened. */
  occurredAt: Date;
}

/** The status codes that say that an address, or its domain, does not exist or takes no mail. */
const NO_SUCH_ADDRESS: ReadonlySet<string> = new Set(['5.1.1', '5.1.2', '5.1.3', '5.1.6', '5.1.10']);
/** The subtype of SES for the same. */
const NO_EMAIL = 'NoEmail';

/** What the event reports, if it is of a kind that counts in the rates of a domain. */
export function reportedKindOf(event: RelayEvent): BounceKind | null {
  if (!event.attempted) return null;
  if (event.kind === 'bounce') return event.bounceType === 'permanent' ? 'bounce' : null;
  return event.kind === 'complaint' && !event.notSpam ? 'complaint' : null;
}

/**
 * What the event counts as in the rates that block a domain: a permanent bounce for each recipient, a complaint for
 * each domain of recipients. Bounces of read receipts do not count, because whoever asks for a receipt decides where it
 * goes.
 */
export function countedKindOf(event: RelayEvent): BounceKind | null {
  const kind = reportedKindOf(event);
  return kind === 'bounce' && event.isReceipt === true ? null : kind;
}

/**
 * The number of recipients of whom one complained: SES names everybody at the provider who may have. Never more than 1
 * for a bounce.
 */
function possibleComplainers({ kind, recipients, named = recipients.length }: RelayEvent): number {
  return kind === 'complaint' ? named : 1;
}

/** What is known of the recipient's bounce or complaint; null when nothing is. */
export function diagnosticOf(event: RelayEvent, recipient: string): string | null {
  const possible = possibleComplainers(event);
  return possible > 1 ? `one of ${possible} possible` : (event.diagnostics.get(recipient) ?? null);
}

/**
 * Why the recipient of the event is suppressed from now on; null when it is not: its server refused the content, its
 * mailbox is full, nothing was attempted, the complaint was withdrawn, or another recipient may have complained.
 */
export function suppresses(event: RelayEvent, recipient: string): 'bounce' | 'complaint' | null {
  const kind = countedKindOf(event);
  if (kind === 'complaint') return possibleComplainers(event) > 1 ? null : kind;
  if (kind === null) return null;
  return event.subType === NO_EMAIL || NO_SUCH_ADDRESS.has(event.statuses.get(recipient) ?? '') ? 'bounce' : null;
}
