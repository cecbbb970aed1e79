import { parseDomainName } from '@mailstead/core/domains/domain-name';
import { LONGEST_ADDRESS } from '@mailstead/core/mailboxes/address';
import { isReadReceipt } from '@mailstead/core/outbound/read-receipt';
import { readTime } from '@mailstead/core/read-time';
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

const NONE: ReadonlyMap<string, string> = new Map();
/** The code alone: a remark may follow it. */
const STATUS = /^\s*(\d\.\d{1,3}\.\d{1,3})(?![\d.])/;
const BOUNCE_TYPES: Record<string, BounceType> = { Permanent: 'permanent', Transient: 'transient' };

/** What is stored. Others, such as `Open`, say nothing about the delivery of a message. */
const STORED_TYPES: ReadonlySet<string> = new Set(['Bounce', 'Complaint', 'Reject', 'DeliveryDelay', 'Delivery']);

/** The types of events of Amazon EventBridge that are stored, as the type in the other shapes. */
const OF_EVENT_BRIDGE: Readonly<Record<string, string>> = {
  'Email Bounced': 'Bounce',
  'Email Complaint Received': 'Complaint',
};

/** Those that say that SES may have begun or ended to send mail of a tenant. */
const STATUS_TYPES: ReadonlySet<string> = new Set(['Sending Status Disabled', 'Sending Status Enabled']);
/** The most resources of such an event that are read, and the longest ARN of one. */
const MAX_RESOURCES = 10;
const MAX_ARN = 255;

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
    if (STATUS_TYPES.has(bridged) && fields.source === 'aws.ses') {
      return { kind: 'tenants', arns: readResources(fields.resources) };
    }
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

function readResources(resources: unknown): string[] {
  const named = Array.isArray(resources) ? resources.slice(0, MAX_RESOURCES) : [];
  return named.filter((each): each is string => typeof each === 'string' && each.length <= MAX_ARN);
}

function readEvent(providerId: string, type: string, fields: Fields): RelayEvent {
  const mail = readFields(fields.mail, 'mail');
  const sentAt = readDate(mail.timestamp, 'mail.timestamp');
  const tag = readTag(mail, 'mailstead');
  const isReceipt = isReceiptIn(mail);
  const common = {
    providerId,
    messageId: readText(mail.messageId, 'mail.messageId'),
    sentAt,
    sourceDomain: readSourceDomain(mail),
    sender: readSender(mail),
    ...(tag === null ? {} : { tag }),
    ...(isReceipt ? { isReceipt } : {}),
    diagnostics: NONE,
    statuses: NONE,
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
      ...spellingsOf(bounce.bouncedRecipients),
      diagnostics: readDiagnostics(bounce.bouncedRecipients),
      statuses: readStatuses(bounce.bouncedRecipients),
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
      ...spellingsOf(complaint.complainedRecipients),
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
    ...readProgress(type, fields),
  };
}

/** Which recipients a delivery or a delay is about, and when it was. What is missing is that of the message. */
function readProgress(type: string, fields: Fields): Partial<RelayEvent> {
  const progress = (type === 'Delivery' ? fields.delivery : fields.deliveryDelay) as Fields | null | undefined;
  if (typeof progress !== 'object' || progress === null || type === 'Reject') return {};
  const listed: unknown[] = [progress.recipients, progress.delayedRecipients].flatMap((list) =>
    Array.isArray(list) ? (list as unknown[]) : [],
  );
  const answers = listed.flatMap((each): [string, string | null][] => {
    if (typeof each === 'string') return [[each, textOrNull(progress.smtpResponse)]];
    const { emailAddress, diagnosticCode } = (each ?? {}) as Fields;
    return typeof emailAddress === 'string' ? [[emailAddress, textOrNull(diagnosticCode)]] : [];
  });
  const at = readTime(textOrNull(progress.timestamp) ?? '');
  const recipients = addressesOf(answers.map(([recipient]) => recipient));
  const diagnostics = answers.flatMap(([recipient, text]): [string, string][] => {
    const [address] = addressesOf([recipient]);
    return text === null || address === undefined ? [] : [[address, text.slice(0, MAX_DIAGNOSTIC)]];
  });
  return {
    ...(recipients.length === 0 ? {} : { recipients, diagnostics: new Map(diagnostics) }),
    ...(at === null ? {} : { occurredAt: at }),
  };
}

/**
 * @returns the domain of the envelope sender, or else of the tag `ses:from-domain`, which SES sets from the From header
 */
function readSourceDomain(mail: Fields): string | null {
  const source = typeof mail.source === 'string' ? addressIn(mail.source) : '';
  if (source !== '') return source.includes('@') ? parseDomainName(source.slice(source.lastIndexOf('@') + 1)) : null;
  const domain = readTag(mail, 'ses:from-domain');
  return domain === null ? null : parseDomainName(domain);
}

/** @returns the first value of a tag; null without one, as in feedback of an identity */
function readTag(mail: Fields, name: string): string | null {
  const tags = mail.tags as Record<string, unknown> | null | undefined;
  const tag = typeof tags === 'object' && tags !== null ? tags[name] : undefined;
  const [value]: unknown[] = Array.isArray(tag) ? tag : [tag];
  return textOrNull(value);
}

/** @returns the envelope sender; null when it is empty or missing */
function readSender(mail: Fields): string | null {
  const sender = typeof mail.source === 'string' ? addressIn(mail.source) : '';
  return sender === '' ? null : sender;
}

/**
 * Whether the message is a read receipt (RFC 8098 section 3), or another one of the null sender, as only notices and
 * receipts have (RFC 5321 section 4.5.5). Our mail server marks the few receipts that it lets pass with a tag of their
 * own, which no sender can write. Without its tags the header decides, for one recipient, as a receipt has: events of a
 * configuration set have it, those of an identity if the identity is set to include it.
 */
function isReceiptIn(mail: Fields): boolean {
  const { source, headers, destination } = mail;
  if (typeof source === 'string' && addressIn(source) === '') return true;
  if (readTag(mail, 'mailstead') !== null) return readTag(mail, 'mailstead_receipt') !== null;
  if (Array.isArray(destination) && destination.length > 1) return false;
  const fields: unknown[] = Array.isArray(headers) ? headers : [];
  const types = fields.flatMap((field) => {
    const { name, value } = (field ?? {}) as Fields;
    return typeof name === 'string' && /^content-type$/i.test(name) ? [value] : [];
  });
  const [type] = types;
  return types.length === 1 && typeof type === 'string' && isReadReceipt(type);
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

/** The status code of each recipient. Their recipients were checked by `readRecipients`. */
function readStatuses(recipients: unknown): Map<string, string> {
  const statuses = new Map<string, string>();
  for (const { emailAddress, status } of recipients as Fields[]) {
    const code = STATUS.exec(textOrNull(status) ?? '')?.[1];
    const [address] = addressesOf([String(emailAddress)]);
    if (code !== undefined && address !== undefined) statuses.set(address, code);
  }
  return statuses;
}

/** How SES wrote recipients, where that is not in lower case. Their recipients were checked by `readRecipients`. */
function spellingsOf(recipients: unknown): Pick<RelayEvent, 'spellings'> {
  const spellings = new Map<string, string>();
  for (const { emailAddress } of recipients as Fields[]) {
    const spelling = addressIn(String(emailAddress));
    const address = spelling.toLowerCase();
    if (address !== spelling && spelling.length <= LONGEST_ADDRESS) spellings.set(address, spelling);
  }
  return spellings.size === 0 ? {} : { spellings };
}

function readRecipients(value: unknown, where: string): string[] {
  if (!Array.isArray(value)) throw malformed(`${where} is not a list`);
  return addressesOf(value.map((each) => readText(readFields(each, where).emailAddress, `${where}.emailAddress`)));
}
