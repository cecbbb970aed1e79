export type RelayEventKind = 'bounce' | 'complaint' | 'other';
export type BounceType = 'permanent' | 'transient' | 'undetermined';

/** What the relay provider tells of one message after it took it: in our words, whichever way it came. */
export interface RelayEvent {
  /** The provider's id of this telling; a repeat has the same one (SNS `MessageId`, Standard Webhooks `webhook-id`). */
  providerId: string;
  /** `other` is everything that does not count: deliveries, delays, opens, rejections. */
  kind: RelayEventKind;
  /** Null unless the kind is `bounce`; a word we do not know is `undetermined`. */
  bounceType: BounceType | null;
  /** The provider's finer word, an open set (SES `bounceSubType`, `complaintSubType`), or null. */
  subType: string | null;
  /** The recipient took the complaint back (SES `complaintFeedbackType: not-spam`). */
  notSpam: boolean;
  /** The provider's id of the message. With the recipient and the kind it tells one bounce from another. */
  messageId: string;
  /** When the provider took the message. */
  sentAt: Date;
  /**
   * The domain the event is charged to: that of the envelope sender (SES `mail.source`), which submission checked against
   * the login; only without one, SES's `ses:from-domain`. Null when that is no domain name. Never an ancestor of it, and
   * never the header From, or one partner could have another blocked.
   */
  sourceDomain: string | null;
  /** Lower case, each once. */
  recipients: string[];
  /** When the bounce or complaint happened. */
  occurredAt: Date;
}

/**
 * The provider did not try to deliver: the address was on the account's own suppression list. SES keeps such bounces and
 * complaints out of its rates, and so do we. (`Suppressed`, SES's global list, does count.)
 */
const NOT_ATTEMPTED = 'OnAccountSuppressionList';

/** Whether each of its recipients counts as one bounce in the rate that blocks a domain: hard bounces only. */
export function countsAsBounce(event: RelayEvent): boolean {
  return event.kind === 'bounce' && event.bounceType === 'permanent' && event.subType !== NOT_ATTEMPTED;
}

/** Whether each of its recipients counts as one complaint. */
export function countsAsComplaint(event: RelayEvent): boolean {
  return event.kind === 'complaint' && !event.notSpam && event.subType !== NOT_ATTEMPTED;
}
