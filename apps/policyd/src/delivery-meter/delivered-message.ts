import { hash } from 'node:crypto';

/** A message that Dovecot stored in a mailbox. */
export interface DeliveredMessage {
  /** The mailbox's domain. */
  domain: string;
  bytes: number;
  /** Names this delivery for good: a hash of its line, whose time, process, session and sizes no other delivery shares. */
  id: string;
}

// The sender chose the message id, and may have written there what a delivery looks like: so the size is the last one of the line,
// and no comma follows it. The time stands first as Dovecot writes it into its own file, or a syslog (`host dovecot: `) into its.
const DELIVERY =
  /^(?:[A-Z][a-z]{2} [ \d]\d [\d:]{8}|\d{4}-\d\d-\d\dT\S+) (?:\S+ dovecot(?:\[\d+\])?: )?lmtp\([^\s()@]+@([^\s()@]+)\)<\d+><[^<>\s]+>: (?:Info: )?msgid=.*, size=(\d{1,12}), (?:saved mail to|stored mail into mailbox) [^,]*$/;

/**
 * Reads one line of Dovecot's log, of `deliver_log_format = msgid=%m, size=%p, %$` as the mail stack renders it. Null for every other line,
 * failed deliveries included.
 */
export function readDelivery(line: string): DeliveredMessage | null {
  const [, domain, bytes] = DELIVERY.exec(line) ?? [];
  if (domain === undefined) {
    return null;
  }
  const id = `delivery:${hash('sha256', line, 'base64url')}`;
  return { domain: domain.toLowerCase(), bytes: Number(bytes), id };
}
