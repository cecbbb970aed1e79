import { hash } from 'node:crypto';

/** A message that Dovecot stored in a mailbox. */
export interface DeliveredMessage {
  /** The mailbox's domain. */
  domain: string;
  bytes: number;
  /** A hash of the log line. Its time, process, session and size identify the delivery. */
  id: string;
}

// The sender chooses the message id and can write a false size into it, so the last size of the line is read, with no
// comma after it. The line begins with a time in the format of Dovecot's own log or of syslog (`host dovecot: `).
const DELIVERY =
  /^(?:[A-Z][a-z]{2} [ \d]\d [\d:]{8}|\d{4}-\d\d-\d\dT\S+) (?:\S+ dovecot(?:\[\d+\])?: )?lmtp\([^\s()@]+@([^\s()@]+)\)<\d+><[^<>\s]+>: (?:Info: )?msgid=.*, size=(\d{1,12}), (?:saved mail to|stored mail into mailbox) [^,]*$/;

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
