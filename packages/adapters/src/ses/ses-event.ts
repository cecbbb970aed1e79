import { parseDomainName } from '@mailstead/core/domains/domain-name';
import { MAX_DIAGNOSTIC } from '@mailstead/core/relay-events/listed-bounce';
import { type BounceType, isNeverAttempted, type RelayEvent } from '@mailstead/core/relay-events/relay-event';
import type { WebhookOutcome } from '@mailstead/core/relay-events/relay-webhook';
import {
  addressesOf,
  addressIn,
  type Fields,
  malformed,
  readDate,
  readFields,
  readText,
  textOrNull,
} from '../relay/event-fields.js';

const NO_DIAGNOSTICS: RelayEvent['diagnostics'] = new Map();
const BOUNCE_TYPES: Record<string, BounceType> = { Permanent: 'permanent', Transient: 'transient' };

/** What is stored. Others, such as `Open`, say nothing about the delivery of a message. */
const STORED_TYPES: ReadonlySet<string> = new Set(['Bounce', 'Complaint', 'Reject', 'DeliveryDelay', 'Delivery']);

/** The types of events of Amazon EventBridge that are stored, as the type in the other shapes. */
const OF_EVENT_BRIDGE: Readonly<Record<string, string>> = {
  'Email Bounced': 'Bounce',
  'Email Complaint Received': 'Complaint',
};

/**
 * Reads a message that SES publishes, in its three shapes: identity feedback (`notificationType`), configuration set
 * events (`eventType`), and events of EventBridge (`detail-type`), whose `detail` is a configuration set event.
 * Messages about the subscription itself, and events that are not needed, are `ignored`. The webhook of the sandbox
 * accepts the same shapes.
 *
 * @param message the parsed JSON
 * @throws AppError relay_event_malformed
 */
export function readSesMessage(providerId: string, message: unknown): WebhookOutcome {
  const fields = readFields(message, 'the message');
  const bridged = fields['detail-type'];
  if (typeof bridged === 'string') {
    const type = Object.hasOwn(OF_EVENT_BRIDGE, bridged) ? OF_EVENT_BRIDGE[bridged] : undefined;
    if (type === undefined || fields.source !== 'aws.ses') {
      return { kind: 'ignored', reason: `EventBridge message of type ${bridged.slice(0, 100)}` };
    }
    return { kind: 'event', providerId, event: readEvent(providerId, type, readFields(fields.detail, 'detail')) };
  }
  const type = fields.notificationType ?? fields.eventType;
  if (typeof type !== 'string') throw malformed('it has neither notificationType nor eventType');
  const counts = type === 'Bounce' || type === 'Complaint';
  if (!STORED_TYPES.has(type) || (!counts && fields.mail === undefined)) {
    return { kind: 'ignored', reason: `SES message of type ${type.slice(0, 100)}` };
  }
  return { kind: 'event', providerId, event: readEvent(providerId, type, fields) };
}

function readEvent(providerId: string, type: string, fields: Fields): RelayEvent {
  const mail = readFields(fields.mail, 'mail');
  const sentAt = readDate(mail.timestamp, 'mail.timestamp');
  const common = {
    providerId,
    messageId: readText(mail.messageId, 'mail.messageId'),
    sentAt,
    sourceDomain: readSourceDomain(mail),
    sender: readSender(mail),
    diagnostics: NO_DIAGNOSTICS,
    bounceType: null,
    notSpam: false,
  };
  if (type === 'Bounce') {
    const bounce = readFields(fields.bounce, 'bounce');
    return {
      ...common,
      kind: 'bounce',
      bounceType: BOUNCE_TYPES[readText(bounce.bounceType, 'bounce.bounceType')] ?? 'undetermined',
      attempted: !isNeverAttempted(textOrNull(bounce.bounceSubType)),
      subType: textOrNull(bounce.bounceSubType),
      recipients: readRecipients(bounce.bouncedRecipients, 'bounce.bouncedRecipients'),
      diagnostics: readDiagnostics(bounce.bouncedRecipients),
      occurredAt: readDate(bounce.timestamp, 'bounce.timestamp'),
    };
  }
  if (type === 'Complaint') {
    const complaint = readFields(fields.complaint, 'complaint');
    const recipients = readRecipients(complaint.complainedRecipients, 'complaint.complainedRecipients');
    const feedback = textOrNull(complaint.complaintFeedbackType)?.slice(0, MAX_DIAGNOSTIC);
    return {
      ...common,
      kind: 'complaint',
      attempted: !isNeverAttempted(textOrNull(complaint.complaintSubType)),
      subType: textOrNull(complaint.complaintSubType),
      notSpam: complaint.complaintFeedbackType === 'not-spam',
      recipients,
      diagnostics: new Map(feedback === undefined ? [] : recipients.map((recipient) => [recipient, feedback])),
      occurredAt: readDate(complaint.timestamp, 'complaint.timestamp'),
    };
  }
  const recipients = Array.isArray(mail.destination) ? mail.destination.filter((each) => typeof each === 'string') : [];
  return {
    ...common,
    kind: 'other',
    attempted: true,
    subType: type,
    recipients: addressesOf(recipients),
    occurredAt: sentAt,
  };
}

/**
 * @returns the domain of the envelope sender, or else of the tag `ses:from-domain`, which SES sets from the From header
 */
function readSourceDomain(mail: Fields): string | null {
  const source = typeof mail.source === 'string' ? addressIn(mail.source) : '';
  if (source !== '') return source.includes('@') ? parseDomainName(source.slice(source.lastIndexOf('@') + 1)) : null;
  const tags = mail.tags as Record<string, unknown> | null | undefined;
  const tag = typeof tags === 'object' && tags !== null ? tags['ses:from-domain'] : undefined;
  const [domain]: unknown[] = Array.isArray(tag) ? tag : [tag];
  return typeof domain === 'string' ? parseDomainName(domain) : null;
}

/** @returns the envelope sender; null when it is empty or missing */
function readSender(mail: Fields): string | null {
  const sender = typeof mail.source === 'string' ? addressIn(mail.source) : '';
  return sender === '' ? null : sender;
}

/** The reply of each recipient's server, else its status code. Their recipients were checked by `readRecipients`. */
function readDiagnostics(recipients: unknown): Map<string, string> {
  const diagnostics = new Map<string, string>();
  for (const { emailAddress, diagnosticCode, status } of recipients as Fields[]) {
    const text = textOrNull(diagnosticCode) ?? textOrNull(status);
    const [address] = addressesOf([String(emailAddress)]);
    if (text !== null && address !== undefined) diagnostics.set(address, text.slice(0, MAX_DIAGNOSTIC));
  }
  return diagnostics;
}

function readRecipients(value: unknown, where: string): string[] {
  if (!Array.isArray(value)) throw malformed(`${where} is not a list`);
  return addressesOf(value.map((each) => readText(readFields(each, where).emailAddress, `${where}.emailAddress`)));
}
