import { hash } from 'node:crypto';
import { lineOf } from './log-line.js';

/** A message that Dovecot stored in a mailbox. */
export interface DeliveredMessage {
  /** The mailbox's domain. */
  domain: string;
  bytes: number;
  /** A hash of the log line. Its time, process, session and size identify the delivery. */
  id: string;
}

// The sender chooses the message id and can write a false size into it, so the last size of the line is read, with no
// comma after it. With the global Sieve script the line begins with `sieve: `.
const DELIVERY = lineOf(
  'lmtp',
  String.raw`(?:sieve: )?msgid=.*, size=(\d{1,12}), (?:saved mail to|stored mail into mailbox) [^,]*`,
);

/**
 * Reads one line of Dovecot's log in the format that the mail stack renders (`deliver_log_format = msgid=%m, size=%p,
 * %$`).
 *
 * @returns null for every other line, failed deliveries included.
 */
export function readDelivery(line: string): DeliveredMessage | null {
  const [, domain, bytes] = DELIVERY.exec(line) ?? [];
  if (domain === undefined) return null;
  const id = `delivery:${hash('sha256', line, 'base64url')}`;
  return { domain: domain.toLowerCase(), bytes: Number(bytes), id };
}
