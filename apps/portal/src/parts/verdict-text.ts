import { isOperator, isWholePartner } from '../api/caller.js';
import type { Caller, Incoming, Verdict } from '../api/shapes.js';
import { SUSPENSION_CAUSES } from './suspension-causes.js';

type Reason = NonNullable<Verdict['reason']>;

/** Why mail to an outside recipient is refused or deferred now. */
const STOPPED: Record<Reason, string> = {
  sender_not_allowed: 'The sender address is not allowed',
  domain_suspended: 'Suspended, so its mail waits',
  outbound_blocked: 'Sending is blocked',
  not_verified: 'Not verified, so it may not send',
  message_exceeds_limit: 'No message fits the limits',
  mailbox_limit: 'The mailbox reached its limit of today, so its mail waits until 00:00 UTC',
  daily_limit: 'The limit of today is reached, so its mail waits until 00:00 UTC',
  monthly_limit: 'The limit of this month is reached, so its mail waits until the 1st',
  transfer_limit: 'The transfer cap of this month is reached, so its mail waits until the 1st',
  counter_overflow: 'The counter is full',
};

/** Limits that are only monitored, and therefore stop nothing. */
const MONITORED: Partial<typeof STOPPED> = {
  mailbox_limit: 'May send; above the limit of the mailbox, which is only monitored',
  daily_limit: 'May send; above the limit of today, which is only monitored',
  monthly_limit: 'May send; above the limit of this month, which is only monitored',
  transfer_limit: 'May send; above the transfer cap, which is only monitored',
};

/** The other reasons, as parts of a sentence. */
const ALSO: Record<Reason, string> = {
  sender_not_allowed: 'the sender address is not allowed',
  domain_suspended: 'suspended',
  outbound_blocked: 'sending is blocked',
  not_verified: 'not verified',
  message_exceeds_limit: 'no message fits the limits',
  mailbox_limit: 'the limit of the mailbox is reached',
  daily_limit: 'the limit of today is reached',
  monthly_limit: 'the limit of this month is reached',
  transfer_limit: 'the transfer cap of this month is reached',
  counter_overflow: 'the counter is full',
};

const CAUSES: Record<Verdict['causes'][number]['cause'], string> = {
  ...SUSPENSION_CAUSES,
  bounce_rate: 'because too many of its messages bounced',
  complaint_rate: 'because too many recipients reported its mail as spam',
};

const INCOMING: Record<Incoming['action'], string> = {
  accept: 'Incoming mail is accepted',
  defer: 'Incoming mail waits at its senders, and is not lost',
  none: 'Incoming mail is not accepted until the domain was verified once',
};

/** @returns what the verdict means, in a sentence without a full stop. */
export function verdictText({ action, reason }: Verdict): string {
  if (reason === null) return 'May send';
  return action === 'accept' ? (MONITORED[reason] ?? 'May send') : STOPPED[reason];
}

/** @returns what one cause stopped, and why. */
export function causeText({ reason }: Verdict, { cause, of }: Verdict['causes'][number]): string {
  const what = reason === 'outbound_blocked' ? 'Blocked' : 'Suspended';
  const whose = { domain: '', partner: ', with all domains of its partner,', parent: ', with its parent domain,' }[of];
  return `${what}${whose} ${CAUSES[cause]}`;
}

/** @returns why something is suspended or blocked, as the end of a sentence. */
export function causeWords(cause: keyof typeof CAUSES): string {
  return CAUSES[cause];
}

/** @returns the other reasons that hold, in a sentence; null without one. */
export function alsoText({ also }: Verdict): string | null {
  return also.length === 0 ? null : `Also: ${also.map((reason) => ALSO[reason]).join('; ')}.`;
}

/** @returns who must act, in the words of the reader; null when nobody must. */
export function liftersText({ lifted_by }: Verdict, reader: Caller): string | null {
  const words = lifted_by.flatMap((lifter) => {
    if (lifter === 'itself') return [];
    if (lifter === 'billing') return ['billing, once the bill is paid'];
    if (lifter === 'operator') return [isOperator(reader) ? 'the operator (you)' : 'the operator'];
    if (isOperator(reader)) return ['the partner'];
    return [isWholePartner(reader) ? 'you' : 'your provider'];
  });
  return words.length === 0 ? null : `Who must act: ${new Intl.ListFormat('en').format(words)}.`;
}

/** @returns what happens to mail that comes in, in a sentence without a full stop. */
export function incomingText({ action, reason }: Incoming): string {
  const why = reason === 'transfer_limit' ? ', because the transfer cap of this month is reached' : '';
  return `${INCOMING[action]}${why}`;
}
