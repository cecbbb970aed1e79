import { AppError } from '@mailstead/core/errors';
import type { Caller } from '@mailstead/core/operators/caller';
import type { Route } from './route.js';

/**
 * Checks that a caller with this kind of token may use the route.
 *
 * @throws AppError master_token_required, scope_not_allowed
 */
export function authorize(
  caller: Caller,
  { access, scopes, method }: Pick<Route, 'access' | 'scopes' | 'method'>,
): void {
  if (caller.kind === 'master' || access === 'any') return;
  if (caller.kind === 'client') {
    if (access === 'master') throw new AppError('master_token_required');
    return;
  }
  const allowed = caller.scope === 'read' ? method === 'get' : scopes?.includes(caller.scope) === true;
  if (!allowed) throw new AppError('scope_not_allowed');
}
