import { isCustomer, isOperator } from '../api/caller.js';
import type { Caller, Incoming, Verdict } from '../api/shapes.js';
import { listOf, t, textOrNull } from '../texts/texts.js';
import { formatMegabytes } from './numbers.js';

/** @returns what the verdict means, in a sentence without a full stop. */
export function verdictText({ action, reason }: Verdict): string {
  if (reason === null) return t('mail.maySend');
  return action === 'accept' ? (textOrNull('monitored', reason) ?? t('mail.maySend')) : t(`stopped.${reason}`);
}

/** What a customer learns: who stopped its mail is a matter between its provider and the operator. */
const CUSTOMERS_CAUSES = {
  partner: 'mail.isSuspended',
  operator: 'mail.isStopped',
  billing: 'mail.isSuspended',
  abuse: 'mail.isSuspendedForAbuse',
  bounce_rate: 'mail.isStoppedByBounces',
  complaint_rate: 'mail.isStoppedByReports',
} as const satisfies Record<Verdict['causes'][number]['cause'], string>;

const USED = {
  mailbox_limit: 'mail.usedOfMailbox',
  daily_limit: 'mail.usedOfDay',
  monthly_limit: 'mail.usedOfMonth',
} as const;

const BYTES_PER_MEGABYTE = 1_048_576;

/** @returns how much of the limit that is the reason is used; null without one. */
export function limitText({ reason, limit = null }: Verdict): string | null {
  if (limit === null) return null;
  const { value, used } = limit;
  if (reason === 'mailbox_limit' || reason === 'daily_limit' || reason === 'monthly_limit') {
    return t(USED[reason], { value, used });
  }
  const size = (bytes: number) => formatMegabytes(bytes / BYTES_PER_MEGABYTE);
  return t('mail.usedOfTransfer', { value: size(value), used: size(used) });
}

/** @returns what one cause stopped, and why. */
export function causeText({ reason }: Verdict, { cause, of }: Verdict['causes'][number], reader: Caller): string {
  if (isCustomer(reader)) return t(CUSTOMERS_CAUSES[cause]);
  const words = { cause: t(`cause.${cause}`) };
  return reason === 'outbound_blocked' ? t(`blocked.${of}`, words) : t(`suspended.${of}`, words);
}

/** @returns the other reasons that hold, in a sentence; null without one. */
export function alsoText({ also }: Verdict): string | null {
  return also.length === 0 ? null : t('mail.also', { reasons: also.map((reason) => t(`also.${reason}`)).join('; ') });
}

/** @returns who must act, in the words of the reader; null when nobody must, and for a customer: its provider does. */
export function liftersText({ lifted_by }: Verdict, reader: Caller): string | null {
  if (isCustomer(reader)) return null;
  const words = lifted_by.flatMap((lifter) => {
    if (lifter === 'itself') return [];
    if (lifter === 'billing') return [t('mail.billing')];
    if (lifter === 'operator') return [t(isOperator(reader) ? 'mail.operatorYou' : 'mail.operator')];
    return [t(isOperator(reader) ? 'mail.partner' : 'mail.you')];
  });
  return words.length === 0 ? null : t('mail.whoMustAct', { who: listOf(words) });
}

/** @returns what happens to mail that comes in, in a sentence without a full stop. */
export function incomingText({ action, reason }: Incoming): string {
  const text = t(`incoming.${action}`);
  return reason === 'transfer_limit' ? t('mail.capReached', { incoming: text }) : text;
}
