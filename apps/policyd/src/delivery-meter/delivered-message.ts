import { hash } from 'node:crypto';

/** A message that Dovecot stored in a mailbox. */
export interface DeliveredMessage {
  /** The mailbox's domain. */
  domain: string;
  bytes: number;
  /** A hash of the delivery's log line; its time, process, session and size belong to no other delivery. */
  id: string;
}

// The sender chooses the message id and can imitate a delivery in it, so the size is the last one of the line, with no
// comma after it. The line begins with the time, as Dovecot's own log or a syslog (`host dovecot: `) writes it.
const DELIVERY =
  /^(?:[A-Z][a-z]{2} [ \d]\d [\d:]{8}|\d{4}-\d\d-\d\dT\S+) (?:\S+ dovecot(?:\[\d+\])?: )?lmtp\([^\s()@]+@([^\s()@]+)\)<\d+><[^<>\s]+>: (?:Info: )?msgid=.*, size=(\d{1,12}), (?:saved mail to|stored mail into mailbox) [^,]*$/;

/**
 * Reads one line of Dovecot's log in the format that the mail stack renders (`deliver_log_format = msgid=%m, size=%p,
 * %$`). Returns null for every other line, failed deliveries included.
 */
export function readDelivery(line: string): DeliveredMessage | null {
  const [, domain, bytes] = DELIVERY.exec(line) ?? [];
  if (domain === undefined) return null;
  const id = `delivery:${hash('sha256', line, 'base64url')}`;
  return { domain: domain.toLowerCase(), bytes: Number(bytes), id };
}
