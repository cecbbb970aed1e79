import type { Incoming, Verdict } from '../../api/shapes.js';

type Reason = NonNullable<Verdict['reason']>;

/** Whether mail goes out and comes in. */
export const mail = {
  now: 'Mail now',
  inactive: 'Switched off: nobody can log in, and nothing is sent',
  switchOn: 'It is switched on again below.',
  maySend: 'May send',
  atRisk: 'DNS records are missing: it may still send, but soon not any more.',
  noMx: 'No mail arrives: the domain has no MX record that leads here.',
  mxElsewhere: 'Mail arrives at other hosts first.',
  mxMailboxes: 'No mail arrives here: it arrives in mailboxes of Google or Microsoft.',
  why: 'Why',
  whatNow: 'What now',
  mxFirst: 'Mail arrives at {hosts} first.',
  mxSay: 'If it is passed on to this service from there, say so once, with the DNS records of the domain.',
  noSpf: 'Receivers may treat its mail as spam: no SPF record of the domain allows this service to send.',
  limitedBy: 'This comes from the parent domain {parent}.',
  causes: 'Causes',
  since: 'Since <time></time>.',
  causeSince: '{cause}, since <time></time>',
  setBy: '{cause} (set by {by})',
  which: 'Which DNS records are missing',
  endsAt: 'It ends by itself at <time></time>.',
  also: 'Also: {reasons}.',
  whoMustAct: 'Who must act: {who}.',
  billing: 'billing, once the bill is paid',
  operator: 'the operator',
  operatorYou: 'the operator (you)',
  partner: 'the partner',
  you: 'you',
  provider: 'your provider',
  ask: 'Ask <b>{name}</b>',
  says: 'The operator says: {message}',
  isSuspended: 'Suspended',
  isSuspendedForAbuse: 'Suspended because of abuse',
  isStopped: 'Stopped',
  isStoppedByBounces: 'Stopped because too many messages bounced',
  isStoppedByReports: 'Stopped because too many recipients reported its mail as spam',
  pausedBy: 'The relay provider does not send mail of the partner now.',
  bounced: '{count, number} of {sent, number} messages bounced between {from} and {to}: <b>{rate}</b>.',
  reported: '{count, number} of {sent, number} messages were reported as spam between {from} and {to}: <b>{rate}</b>.',
  rateLimit: 'The limit is {limit}.',
  mendBounces: 'Before it sends again, addresses that do not exist must be removed from its lists.',
  mendReports: 'Before it sends again, recipients who did not ask for its mail must be removed from its lists.',
  addresses: 'Look at the addresses',
  usedOfDay: '{used, number} of {value, number} recipients of today are used.',
  usedOfMonth: '{used, number} of {value, number} recipients of this month are used.',
  usedOfMailbox: '{used, number} of {value, number} recipients of this mailbox are used today.',
  usedOfTransfer: '{used} of {value} of this month are used.',
  ownLimit: 'It is your own limit, below what the operator allows.',
  ownLimitOfPartner: 'It is the partner’s own limit, below the operator’s.',
  ownLimitOfDomain: 'It is a limit that was set for this domain.',
  raise: 'Raise it',
  changedBelow: 'The limit of the mailbox is changed below.',
  capReached: '{incoming}, because the transfer cap of this month is reached',
} as const;

/** Why mail to an outside recipient is refused or deferred now. */
export const stopped = {
  sender_not_allowed: 'The sender address is not allowed',
  domain_suspended: 'Suspended, so its mail waits',
  outbound_blocked: 'Sending is blocked',
  relay_paused: 'Sending is paused, so its mail waits',
  not_verified: 'Not verified, so it may not send',
  message_exceeds_limit: 'No message fits the limits',
  mailbox_limit: 'The mailbox reached its limit of today, so its mail waits until 00:00 UTC',
  daily_limit: 'The limit of today is reached, so its mail waits until 00:00 UTC',
  monthly_limit: 'The limit of this month is reached, so its mail waits until the 1st',
  transfer_limit: 'The transfer cap of this month is reached, so its mail waits until the 1st',
  counter_overflow: 'The counter is full',
  restore_not_accepted: 'The service was restored from a backup and is being checked',
} as const satisfies Record<Reason, string>;

/** Limits that are only monitored, and therefore stop nothing. */
export const monitored = {
  mailbox_limit: 'May send; above the limit of the mailbox, which is only monitored',
  daily_limit: 'May send; above the limit of today, which is only monitored',
  monthly_limit: 'May send; above the limit of this month, which is only monitored',
  transfer_limit: 'May send; above the transfer cap, which is only monitored',
} as const satisfies Partial<Record<Reason, string>>;

/** The other reasons, as parts of a sentence. */
export const also = {
  sender_not_allowed: 'the sender address is not allowed',
  domain_suspended: 'suspended',
  outbound_blocked: 'sending is blocked',
  relay_paused: 'sending is paused',
  not_verified: 'not verified',
  message_exceeds_limit: 'no message fits the limits',
  mailbox_limit: 'the limit of the mailbox is reached',
  daily_limit: 'the limit of today is reached',
  monthly_limit: 'the limit of this month is reached',
  transfer_limit: 'the transfer cap of this month is reached',
  counter_overflow: 'the counter is full',
  restore_not_accepted: 'the service was restored from a backup',
} as const satisfies Record<Reason, string>;

/** What a cause stopped: the domain, its parent, or all domains of its partner. */
export const suspended = {
  domain: 'Suspended {cause}',
  partner: 'Suspended, with all domains of its partner, {cause}',
  parent: 'Suspended, with its parent domain, {cause}',
} as const satisfies Record<Verdict['causes'][number]['of'], string>;

export const blocked = {
  domain: 'Blocked {cause}',
  partner: 'Blocked, with all domains of its partner, {cause}',
  parent: 'Blocked, with its parent domain, {cause}',
} as const satisfies Record<Verdict['causes'][number]['of'], string>;

export const incoming = {
  accept: 'Incoming mail is accepted',
  defer: 'Incoming mail waits at its senders, and is not lost',
  none: 'Incoming mail is not accepted until the domain was verified once',
} as const satisfies Record<Incoming['action'], string>;
