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
  /** The envelope sender; null when the provider does not give it. */
  sender: string | null;
  /**
   * What the server of each recipient said, or the kind of the complaint. For diagnosis only; recipients may be
   * missing.
   */
  diagnostics: ReadonlyMap<string, string>;
  /** When the bounce or complaint happened. */
  occurredAt: Date;
}

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
