import type { Message } from '../../api/shapes.js';

/** The field that leads to the messages. */
export const ask = {
  message: 'What became of a message?',
  mailbox: 'What became of its mail?',
  about: 'Recipient, or Message-ID in < >',
} as const;

/** What became of messages. */
export const message = {
  title: 'Messages',
  mailbox: 'Mailbox here, which sent or received it',
  anyState: 'In any state',
  showAny: 'Show all states',
  find: 'Find',
  one: 'message',
  many: 'messages',
  when: 'When',
  from: 'From',
  to: 'To',
  what: 'What became of it',
  notice: 'a notice of a mail server',
  others: 'other addresses of {domain}',
  times: '{count, number} times',
  none: 'No message is known',
  noneWhat: 'Only messages of the last days are kept, and only those that reached these mail servers.',
  lastDay:
    'These are the messages of the last 24 hours. With a recipient, a mailbox or a Message-ID all that are kept are searched.',
  behind:
    'The mail servers report with a delay of {minutes, plural, one {# minute} other {# minutes}}: newer messages are not here yet.',
  gaps: 'Messages since <time></time> may be missing.',
  unseen:
    'Not seen here: mail that never reached these servers, what another server did after it took a message, and what a mail program did with it.',
  relayRefused: 'the service that delivers mail to other servers refused it ({code})',
  failed: 'Messages of the last 24 hours that did not arrive:',
  back: 'All messages',
  aMessage: 'A message',
  facts: 'The message',
  steps: 'What happened',
  size: 'Size',
  id: 'Message-ID',
  domain: 'Domain',
  said: 'What the server said',
} as const;

/** The state that a message is in. */
export const became = {
  accepted: 'On its way',
  deferred: 'Waits, and is tried again',
  refused: 'Refused here',
  stored: 'In the mailbox',
  forwarded: 'Sent on to another server',
  relayed: 'Handed over for delivery',
  delivered: 'Taken by the server of the recipient',
  bounced: 'Not delivered, and given up',
  complained: 'Delivered, and reported as spam',
} as const satisfies Record<Message['state'], string>;

/** A step, as it happened. */
export const step = {
  accepted: 'It was taken from its sender.',
  deferred: 'It could not be delivered yet. It waits, and is tried again.',
  refused: 'It was refused here.',
  stored: 'It was put into the mailbox.',
  forwarded: 'It was sent on to another server, which took it.',
  relayed: 'It was handed to the service that delivers mail to other servers.',
  delivered: 'The server of the recipient took it.',
  bounced: 'It was given up: the recipient does not get it.',
  complained: 'The recipient reported it as spam.',
} as const satisfies Record<Message['state'], string>;

/** Why a message was refused or given up, after a colon. Other reasons are those of a verdict. */
export const refusal = {
  unknown_recipient: 'there is no such address here',
  recipient_suppressed: 'this address does not work, or does not want mail',
  session_ended:
    'the mail program had logged in before the password or the mailbox was changed, and has to log in again',
  expired: 'it had waited for too long',
  General: 'the server of the recipient refused it',
  NoEmail: 'the address does not exist',
  MailboxFull: 'the mailbox of the recipient is full',
  MessageTooLarge: 'it is too large for the server of the recipient',
  ContentRejected: 'the server of the recipient refused its content',
  AttachmentRejected: 'the server of the recipient refused its attachment',
} as const;
