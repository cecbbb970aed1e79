import { type KeyObject, verify } from 'node:crypto';
import { AppError } from '@mailstead/core/errors';
import type { SnsTopic } from './sns-topic.js';

const TYPES = ['Notification', 'SubscriptionConfirmation', 'UnsubscribeConfirmation'] as const;

/** A message as SNS posts it to an HTTPS endpoint. */
export interface SnsMessage {
  Type: (typeof TYPES)[number];
  MessageId: string;
  TopicArn: string;
  Message: string;
  Timestamp: string;
  SignatureVersion: string;
  Signature: string;
  SigningCertURL: string;
  Subject?: string;
  Token?: string;
  SubscribeURL?: string;
}

const SIGNATURE = ['SignatureVersion', 'Signature', 'SigningCertURL'] as const;
const REQUIRED = ['MessageId', 'TopicArn', 'Message', 'Timestamp'] as const;

/** The signed fields of each type, in byte order. A field that the message does not have is not signed. */
const SIGNED = {
  Notification: ['Message', 'MessageId', 'Subject', 'Timestamp', 'TopicArn', 'Type'],
  SubscriptionConfirmation: ['Message', 'MessageId', 'SubscribeURL', 'Timestamp', 'Token', 'TopicArn', 'Type'],
  UnsubscribeConfirmation: ['Message', 'MessageId', 'SubscribeURL', 'Timestamp', 'Token', 'TopicArn', 'Type'],
} as const satisfies Record<SnsMessage['Type'], readonly (keyof SnsMessage)[]>;

const DIGESTS: Record<string, string> = { '1': 'RSA-SHA1', '2': 'RSA-SHA256' };

/**
 * Checks the shape, but does not verify the signature.
 *
 * @throws AppError relay_signature_invalid for a message without a signature, else relay_event_malformed
 */
export function readSnsMessage(body: Buffer): SnsMessage {
  const parsed = parseJson(body.toString('utf8'));
  if (typeof parsed !== 'object' || parsed === null) throw malformed('is not a JSON object');
  const fields = parsed as Record<string, unknown>;
  for (const name of SIGNATURE) {
    if (typeof fields[name] !== 'string') throw unsigned(name);
  }
  const type = TYPES.find((each) => each === fields.Type);
  if (type === undefined) throw malformed('has no Type that SNS sends');
  const optional = type === 'Notification' ? [] : (['Token', 'SubscribeURL'] as const);
  for (const name of [...REQUIRED, ...optional]) {
    if (typeof fields[name] !== 'string') throw malformed(`has no ${name}`);
  }
  if (fields.Subject !== undefined && fields.Subject !== null && typeof fields.Subject !== 'string') {
    throw malformed('has a Subject that is not text');
  }
  return { ...(fields as unknown as SnsMessage), Type: type };
}

/** Whether the URL has the form of SNS's certificates at the host of the topic, without query, port or user. */
export function isCertificateUrl(url: string, topic: SnsTopic): boolean {
  const [start, end] = [`https://${topic.host}/SimpleNotificationService-`, '.pem'];
  if (!url.startsWith(start) || !url.endsWith(end)) return false;
  return /^[A-Za-z0-9]{32}$/.test(url.slice(start.length, -end.length));
}

/** Verifies signature versions 1 and 2. @param key the public key of the certificate at `SigningCertURL` */
export function isSignedBy(message: SnsMessage, key: KeyObject): boolean {
  const digest = Object.hasOwn(DIGESTS, message.SignatureVersion) ? DIGESTS[message.SignatureVersion] : undefined;
  const signature = Buffer.from(message.Signature, 'base64');
  // Node's decoder ignores invalid characters and unused bits, so a base64 that is not canonical is refused here.
  if (digest === undefined || signature.toString('base64') !== message.Signature) return false;
  if (key.asymmetricKeyType !== 'rsa') return false;
  return verify(digest, Buffer.from(stringToSign(message)), key, signature);
}

/** @returns `<name>\n<value>\n` for each signed field */
export function stringToSign(message: Omit<SnsMessage, 'Signature'>): string {
  let text = '';
  for (const name of SIGNED[message.Type]) {
    const value = message[name];
    if (typeof value === 'string') text += `${name}\n${value}\n`;
  }
  return text;
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw malformed('is not JSON', cause);
  }
}

function unsigned(name: string): AppError {
  return new AppError('relay_signature_invalid', { detail: `The SNS message has no ${name}` });
}

function malformed(what: string, cause?: unknown): AppError {
  return new AppError('relay_event_malformed', { detail: `The SNS message ${what}`, cause });
}
