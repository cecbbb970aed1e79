export type RelayEventKind = 'bounce' | 'complaint' | 'other';
export type BounceType = 'permanent' | 'transient' | 'undetermined';

/** What happened to one message after the relay provider accepted it, in words of our own for every provider. */
export interface RelayEvent {
  /** The provider's id of this event; a repeated delivery has the same one (SNS `MessageId`, Standard Webhooks `webhook-id`). */
  providerId: string;
  /** `other` is everything that is never counted: deliveries, delays, opens, rejections. */
  kind: RelayEventKind;
  /** Null unless the kind is `bounce`. `undetermined` also stands for a type that the parser does not know. */
  bounceType: BounceType | null;
  /**
   * Whether the provider tried to deliver the message. False when the address was on the account's own suppression list:
   * providers leave such bounces and complaints out of their rates, and so does Mailstead.
   */
  attempted: boolean;
  /** The provider's own name of the kind of bounce or complaint, for diagnosis only; null when it gives none. */
  subType: string | null;
  /** Whether the recipient withdrew a complaint. */
  notSpam: boolean;
  /** The provider's id of the message. One message, recipient and kind is counted once. */
  messageId: string;
  /** When the provider accepted the message. */
  sentAt: Date;
  /**
   * The domain that the event is counted for: that of the envelope sender, which submission checked against the login, or
   * what the provider names in its place. Null when that is no domain name. Never an ancestor of it, and never the domain
   * of the header From, or one partner could cause the block of another.
   */
  sourceDomain: string | null;
  /** Lower case, each once. */
  recipients: string[];
  /** When the bounce or complaint happened. */
  occurredAt: Date;
}

/** Whether each of its recipients counts as one bounce in the rate that blocks a domain: hard bounces only. */
export function countsAsBounce(event: RelayEvent): boolean {
  return event.kind === 'bounce' && event.bounceType === 'permanent' && event.attempted;
}

/** Whether each of its recipients counts as one complaint. */
export function countsAsComplaint(event: RelayEvent): boolean {
  return event.kind === 'complaint' && !event.notSpam && event.attempted;
}
