import type { Message } from '../api/shapes.js';
import { t, textOrNull } from '../texts/texts.js';
import type { Mark } from './status-mark.js';
import { namedInText } from './unicode-name.js';

/** An enhanced status code (RFC 3463). */
const STATUS = /^5\.\d{1,3}\.\d{1,3}$/;

export const MESSAGE_MARKS: Record<Message['state'], Mark> = {
  accepted: 'wait',
  deferred: 'wait',
  refused: 'bad',
  stored: 'good',
  forwarded: 'good',
  relayed: 'good',
  delivered: 'good',
  bounced: 'bad',
  complained: 'warn',
};

/** @returns what became of the message and why, without a full stop. */
export function becameText({ state, reason, direction }: Message): string {
  const text = t(`became.${state}`);
  if (reason === null || !(state === 'refused' || state === 'bounced')) return text;
  // The log has the code of the relay's answer; what a recipient's server said comes as an event with a word.
  if (state === 'bounced' && direction === 'out' && STATUS.test(reason)) {
    return `${text}: ${t('message.relayRefused', { code: reason })}`;
  }
  // A status code, and what a newer service names, is shown as it is.
  return `${text}: ${textOrNull('refusal', reason) ?? textOrNull('also', reason) ?? reason}`;
}

/** The sender as people read it: a notice of a mail server has none. */
export function senderText({ sender }: Message): string {
  return sender === '' ? t('message.notice') : namedInText(sender);
}

/** The recipient as people read it. Further refusals of a minute have one row for all their recipients. */
export function recipientText({ recipient, domain }: Message): string {
  return recipient.startsWith('*@') ? t('message.others', { domain: namedInText(domain) }) : namedInText(recipient);
}
