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
  /** The provider's id of the message. Each combination of message, recipient and kind is counted once. */
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
  /** The value of the tag `mailstead`, which our mail server gave the message; absent or null: none. */
  tag?: string | null;
  /** When the bounce, complaint, delivery or delay happened. */
  occurredAt: Date;
}

/** The status codes that say that an address, or its domain, does not exist or takes no mail. */
const NO_SUCH_ADDRESS: ReadonlySet<string> = new Set(['5.1.1', '5.1.2', '5.1.3', '5.1.6', '5.1.10']);
/** The subtype of SES for the same. */
const NO_EMAIL = 'NoEmail';

/**
 * Whether each recipient of the event counts as one bounce in the rate that blocks a domain: permanent bounces only.
 */
export function countsAsBounce(event: RelayEvent): boolean {
  return event.kind === 'bounce' && event.bounceType === 'permanent' && event.attempted;
}

/** Whether each recipient of the event counts as one complaint. */
export function countsAsComplaint(event: RelayEvent): boolean {
  return event.kind === 'complaint' && !event.notSpam && event.attempted;
}

/**
 * Why the recipient of the event is suppressed from now on; null when it is not: its server refused the content, its
 * mailbox is full, nothing was attempted, or the complaint was withdrawn.
 */
export function suppresses(event: RelayEvent, recipient: string): 'bounce' | 'complaint' | null {
  if (countsAsComplaint(event)) return 'complaint';
  if (!countsAsBounce(event)) return null;
  return event.subType === NO_EMAIL || NO_SUCH_ADDRESS.has(event.statuses.get(recipient) ?? '') ? 'bounce' : null;
}
