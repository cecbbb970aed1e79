import { parseDomainName } from '@mailstead/core/domains/domain-name';
import { AppError } from '@mailstead/core/errors';
import type { BounceType, RelayEvent } from '@mailstead/core/relay-events/relay-event';
import type { WebhookOutcome } from '@mailstead/core/relay-events/relay-webhook';

type Fields = Record<string, unknown>;

const BOUNCE_TYPES: Record<string, BounceType> = { Permanent: 'permanent', Transient: 'transient' };

/**
 * Reads what SES publishes, in both shapes: identity feedback (`notificationType`) and configuration set events
 * (`eventType`). What SES says about the publishing itself is `ignored`.
 *
 * @param message the parsed JSON.
 * @throws AppError relay_event_malformed
 */
export function readSesMessage(providerId: string, message: unknown): WebhookOutcome {
  const fields = asFields(message, 'the message');
  const type = fields.notificationType ?? fields.eventType;
  if (typeof type !== 'string') throw malformed('it has neither notificationType nor eventType');
  const counts = type === 'Bounce' || type === 'Complaint';
  if (!counts && fields.mail === undefined) return { kind: 'ignored', reason: `SES message of type ${type}` };
  return { kind: 'event', providerId, event: readEvent(providerId, type, fields) };
}

function readEvent(providerId: string, type: string, fields: Fields): RelayEvent {
  const mail = asFields(fields.mail, 'mail');
  const sentAt = readDate(mail.timestamp, 'mail.timestamp');
  const common = {
    providerId,
    messageId: readText(mail.messageId, 'mail.messageId'),
    sentAt,
    sourceDomain: readSourceDomain(mail),
    bounceType: null,
    notSpam: false,
  };
  if (type === 'Bounce') {
    const bounce = asFields(fields.bounce, 'bounce');
    return {
      ...common,
      kind: 'bounce',
      bounceType: BOUNCE_TYPES[readText(bounce.bounceType, 'bounce.bounceType')] ?? 'undetermined',
      subType: textOrNull(bounce.bounceSubType),
      recipients: readRecipients(bounce.bouncedRecipients, 'bounce.bouncedRecipients'),
      occurredAt: readDate(bounce.timestamp, 'bounce.timestamp'),
    };
  }
  if (type === 'Complaint') {
    const complaint = asFields(fields.complaint, 'complaint');
    return {
      ...common,
      kind: 'complaint',
      subType: textOrNull(complaint.complaintSubType),
      notSpam: complaint.complaintFeedbackType === 'not-spam',
      recipients: readRecipients(complaint.complainedRecipients, 'complaint.complainedRecipients'),
      occurredAt: readDate(complaint.timestamp, 'complaint.timestamp'),
    };
  }
  const recipients = Array.isArray(mail.destination) ? mail.destination.filter((each) => typeof each === 'string') : [];
  return { ...common, kind: 'other', subType: type, recipients: unique(recipients), occurredAt: sentAt };
}

/** The envelope sender decides; SES's tag, the domain of the header From, only stands in where there is none. */
function readSourceDomain(mail: Fields): string | null {
  const source = typeof mail.source === 'string' ? addressIn(mail.source) : '';
  if (source !== '') return source.includes('@') ? parseDomainName(source.slice(source.lastIndexOf('@') + 1)) : null;
  const tags = mail.tags as Record<string, unknown> | null | undefined;
  const tag = typeof tags === 'object' && tags !== null ? tags['ses:from-domain'] : undefined;
  const [domain]: unknown[] = Array.isArray(tag) ? tag : [tag];
  return typeof domain === 'string' ? parseDomainName(domain) : null;
}

function readRecipients(value: unknown, where: string): string[] {
  if (!Array.isArray(value)) throw malformed(`${where} is not a list`);
  return unique(value.map((each) => readText(asFields(each, where).emailAddress, `${where}.emailAddress`)));
}

function unique(addresses: string[]): string[] {
  return [...new Set(addresses.map((address) => addressIn(address).toLowerCase()))];
}

/** `Jane <jane@example.com>` → `jane@example.com`. */
function addressIn(text: string): string {
  const [open, close] = [text.lastIndexOf('<'), text.lastIndexOf('>')];
  return (open !== -1 && close > open ? text.slice(open + 1, close) : text).trim();
}

function asFields(value: unknown, where: string): Fields {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) throw malformed(`${where} is not an object`);
  return value as Fields;
}

function readText(value: unknown, where: string): string {
  if (typeof value !== 'string' || value === '') throw malformed(`${where} is not a text`);
  return value;
}

function textOrNull(value: unknown): string | null {
  return typeof value === 'string' ? value : null;
}

function readDate(value: unknown, where: string): Date {
  const date = new Date(readText(value, where));
  if (Number.isNaN(date.getTime())) throw malformed(`${where} is not a time`);
  return date;
}

function malformed(what: string): AppError {
  return new AppError('relay_event_malformed', { detail: `The relay event has not the expected shape: ${what}` });
}
