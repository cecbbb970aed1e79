import { isOperator, isWholePartner } from '../api/caller.js';
import type { Caller, Incoming, Verdict } from '../api/shapes.js';
import { listOf, t, textOrNull } from '../texts/texts.js';

/** @returns what the verdict means, in a sentence without a full stop. */
export function verdictText({ action, reason }: Verdict): string {
  if (reason === null) return t('mail.maySend');
  return action === 'accept' ? (textOrNull('monitored', reason) ?? t('mail.maySend')) : t(`stopped.${reason}`);
}

/** @returns what one cause stopped, and why. */
export function causeText({ reason }: Verdict, { cause, of }: Verdict['causes'][number]): string {
  const words = { cause: t(`cause.${cause}`) };
  return reason === 'outbound_blocked' ? t(`blocked.${of}`, words) : t(`suspended.${of}`, words);
}

/** @returns the other reasons that hold, in a sentence; null without one. */
export function alsoText({ also }: Verdict): string | null {
  return also.length === 0 ? null : t('mail.also', { reasons: also.map((reason) => t(`also.${reason}`)).join('; ') });
}

/** @returns who must act, in the words of the reader; null when nobody must. */
export function liftersText({ lifted_by }: Verdict, reader: Caller): string | null {
  const words = lifted_by.flatMap((lifter) => {
    if (lifter === 'itself') return [];
    if (lifter === 'billing') return [t('mail.billing')];
    if (lifter === 'operator') return [t(isOperator(reader) ? 'mail.operatorYou' : 'mail.operator')];
    if (isOperator(reader)) return [t('mail.partner')];
    return [t(isWholePartner(reader) ? 'mail.you' : 'mail.provider')];
  });
  return words.length === 0 ? null : t('mail.whoMustAct', { who: listOf(words) });
}

/** @returns what happens to mail that comes in, in a sentence without a full stop. */
export function incomingText({ action, reason }: Incoming): string {
  const text = t(`incoming.${action}`);
  return reason === 'transfer_limit' ? t('mail.capReached', { incoming: text }) : text;
}
