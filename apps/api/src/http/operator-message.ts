import { AppError } from '@mailstead/core/errors';
import type { Actor } from '@mailstead/core/operators/actor';
import { MAX_STOP_MESSAGE } from '@mailstead/core/partners/stop-messages';
import { FreeText } from './fields.js';
import { trimmed } from './text-rules.js';

/**
 * What the operator tells the partner with a stop: a text of at most 500 characters, or null.
 *
 * @param about ends the sentence of the description: about what, where it is read, and when it is set
 */
export function OperatorMessage(about: string): PropertyDecorator {
  return FreeText({
    min: 1,
    max: MAX_STOP_MESSAGE,
    rule: trimmed,
    optional: true,
    nullable: true,
    description: `Master only. What the partner’s keys read ${about}. Null removes it`,
  });
}

/**
 * Only master tells partners about the stops of their mail.
 *
 * @throws AppError master_token_required, scope_not_allowed
 */
export function refuseForeignMessage(actor: Actor, message: string | null | undefined): void {
  if (message === undefined) return;
  if (actor.kind === 'client') throw new AppError('master_token_required');
  if (actor.kind === 'operator') throw new AppError('scope_not_allowed');
}
