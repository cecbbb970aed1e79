import type { Domain } from '../domains/domain.js';
import type { BounceListKind, NewBounce } from './bounce-log.js';
import { diagnosticOf, type RelayEvent } from './relay-event.js';

/** The most characters of each text, as the columns store them. */
export const MAX_ADDRESS = 320;
export const MAX_SUBTYPE = 64;
export const MAX_DIAGNOSTIC = 500;
export const MAX_MESSAGE_ID = 200;

/** The kind under which the event is listed; null when it is not: a delivery, a withdrawn complaint. */
export function listKindOf({ kind, bounceType, notSpam }: RelayEvent): BounceListKind | null {
  if (kind === 'bounce') return bounceType === 'permanent' ? 'permanent' : 'transient';
  return kind === 'complaint' && !notSpam ? 'complaint' : null;
}

/** Whether the present partner of the domain sent the message: what a former one sent is none of its business. */
export function isOfPresentPartner({ heldSince }: Domain, { sentAt }: RelayEvent): boolean {
  return heldSince === null || sentAt >= heldSince;
}

export function bounceOf(
  { id: domainId, partnerId }: Domain,
  event: RelayEvent,
  recipient: string,
  kind: BounceListKind,
  now: Date,
): NewBounce {
  const { occurredAt, sender, subType, messageId } = event;
  const diagnostic = diagnosticOf(event, recipient);
  return {
    domainId,
    partnerId,
    at: occurredAt > now ? now : occurredAt,
    recipient: plainText(recipient, MAX_ADDRESS),
    sender: sender === null ? null : plainText(sender, MAX_ADDRESS),
    kind,
    subtype: subType === null ? null : plainText(subType, MAX_SUBTYPE),
    diagnostic: diagnostic === null ? null : plainText(diagnostic, MAX_DIAGNOSTIC),
    messageId: plainText(messageId, MAX_MESSAGE_ID),
  };
}

/**
 * Cuts a text of a stranger's server, and replaces what a page could not show as it is: control and format characters.
 */
export function plainText(text: string, maxLength: number): string {
  return text
    .slice(0, maxLength)
    .replaceAll(/[\p{Cc}\p{Cf}\p{Cs}]/gu, ' ')
    .trim();
}
