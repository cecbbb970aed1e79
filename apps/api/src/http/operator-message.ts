import { AppError } from '@mailstead/core/errors';
import type { Actor } from '@mailstead/core/operators/actor';

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
