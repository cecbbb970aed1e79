import type { RelayNames } from '../relay-fields.js';

/** The part of the API's verdict that determines the reply. */
export interface PolicyVerdict {
  action: string;
  reason: string | null;
  /** Of an increment with recipients: what they count as together. 0: the message stays on the platform. */
  count?: number;
  /** With the reason `sender_not_allowed`: the address that the login may not use. */
  foreign_sender?: string;
  /** With the reason `recipient_suppressed`: the UTC day since which it is. */
  suppressed_since?: string;
  /** For an increment. */
  relay?: RelayNames | null;
}

export const PASS = 'DUNNO';
/** The reason of a verdict about one recipient, which says nothing about others. */
export const RECIPIENT_SUPPRESSED = 'recipient_suppressed';
/** The reason of a verdict about one session, which says nothing about the domain. */
export const SESSION_ENDED = 'session_ended';
/** The reason of every verdict while the operator has not accepted a restored database. */
export const RESTORE_NOT_ACCEPTED = 'restore_not_accepted';
export const NO_MAILBOX = '550 5.7.1 Log in with the address of a mailbox to send mail';
export const TOO_MANY = '452 4.5.3 The message has too many recipients';
export const NO_RECIPIENTS = '451 4.3.5 The message cannot be counted: its recipients are not known';
/** The reply while the API is unavailable. The sender retries. */
export const UNAVAILABLE = '451 4.3.5 The sending policy cannot be asked at the moment, please try again later';
/** The reply while the API is unavailable and a message names another sender than its login. */
export const SENDER_UNKNOWN = '451 4.7.1 The sender cannot be checked now, try again later';

/** Returns the reply for a recipient that counts as more outside recipients than the headroom. */
export function exceedsHeadroom(
  recipient: string,
  { counts_as: needed, headroom }: { counts_as: number; headroom: number | null },
): string {
  // The reply must not contain control characters.
  const name = /^[\x21-\x7e]{1,254}$/.test(recipient) ? recipient : 'The recipient';
  const stands = needed === 1 ? name : `${name} stands for ${needed} recipients, which`;
  return `450 4.7.1 ${stands} does not fit into the sending limit: ${headroom ?? 0} more for now, those of this message included`;
}

/** Texts for the sender, shown in a bounce or in the mail program. */
const SENTENCES: Record<string, (domain: string) => string> = {
  [RESTORE_NOT_ACCEPTED]: restored,
  domain_suspended: (domain) => `Sending for ${domain} is suspended`,
  outbound_blocked: (domain) =>
    `Sending for ${domain} is blocked, because too many of its messages bounced; ask your provider`,
  relay_paused: (domain) => `Sending for ${domain} is paused by the relay provider, please try again later`,
  not_verified: (domain) => `${domain} is not verified for sending yet; its owner has to set the DNS records`,
  message_exceeds_limit: (domain) => `The message has more recipients than ${domain} may ever send to`,
  mailbox_limit: () => 'This mailbox has reached its daily sending limit, please try again tomorrow',
  daily_limit: (domain) => `${domain} has reached its daily sending limit, please try again tomorrow`,
  monthly_limit: (domain) => `${domain} has reached its monthly sending limit`,
  transfer_limit: (domain) => `${domain} has reached its monthly transfer limit`,
  domain_not_found: (domain) => `${domain} is not a domain of this service`,
  counter_overflow: tooManyToCount,
};

/** Texts for the sender of mail without a login that an alias would forward. */
const FORWARD_SENTENCES: Record<string, (domain: string) => string> = {
  [RESTORE_NOT_ACCEPTED]: restored,
  domain_suspended: (domain) => `Mail for ${domain} is suspended`,
  outbound_blocked: (domain) => `${domain} may not forward mail`,
  message_exceeds_limit: (domain) => `The address has more recipients than ${domain} may ever forward to`,
  daily_limit: (domain) => `${domain} has reached its daily limit for forwarded mail, please try again later`,
  counter_overflow: tooManyToCount,
};

/** Texts for the sender of a read receipt. */
const RECEIPT_SENTENCES: Record<string, string> = {
  message_exceeds_limit: 'A read receipt may have one recipient only, and this address stands for several',
  mailbox_limit: 'This mailbox has reached its daily limit, or that of read receipts, please try again tomorrow',
};

function restored(): string {
  return 'The mail service was restored and is being checked, please try again later';
}

function tooManyToCount(domain: string): string {
  return `${domain} has sent more than this service can count`;
}

/** Returns the action for Postfix: accept, defer (450), refuse (550), or end the session (421). */
export function replyTo(verdict: PolicyVerdict, domain: string, forwarded = false): string {
  const { action, reason, foreign_sender, suppressed_since: since } = verdict;
  if (action === 'accept') return PASS;
  // Whether the recipient complained is nobody's business.
  if (reason === RECIPIENT_SUPPRESSED) {
    const day = since === undefined ? '' : ` since ${since}`;
    return `550 5.1.1 ${domain} does not send to this address${day}; ask your provider [${reason}]`;
  }
  // Postfix ends the session after this code (RFC 5321 section 4.2.2).
  if (reason === SESSION_ENDED) return `421 4.7.0 Log in again [${reason}]`;
  if (reason === 'sender_not_allowed') {
    return `550 5.7.1 You may not send as <${foreign_sender ?? 'this address'}> [${reason}]`;
  }
  const sentence =
    (forwarded ? FORWARD_SENTENCES : SENTENCES)[reason ?? '']?.(domain) ?? `Sending for ${domain} is not possible`;
  return replyWith(verdict, sentence);
}

/** Returns the reply to a whole read receipt. */
export function replyToReceipt(verdict: PolicyVerdict, domain: string): string {
  const sentence = RECEIPT_SENTENCES[verdict.reason ?? ''];
  return verdict.action === 'accept' || sentence === undefined
    ? replyTo(verdict, domain)
    : replyWith(verdict, sentence);
}

function replyWith({ action, reason }: PolicyVerdict, sentence: string): string {
  // The trail of messages reads the reason at the end of the line.
  const text = reason === null ? sentence : `${sentence} [${reason}]`;
  return action === 'defer' ? `450 4.7.1 ${text}` : `550 5.7.1 ${text}`;
}
