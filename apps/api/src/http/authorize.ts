import { AppError } from '@mailstead/core/errors';
import type { Caller, Client } from '@mailstead/core/operators/caller';
import type { Route } from './route.js';

type CheckedRoute = Pick<Route, 'access' | 'scopes' | 'method' | 'wholePartner' | 'dnsLink' | 'whileSuspended'>;

/**
 * Checks that a caller of this kind may use the route: the kind of token, then what a key or a link is limited to, then
 * the stage of its partner.
 *
 * @throws AppError master_token_required, scope_not_allowed, client_token_required, link_not_allowed, key_read_only,
 * key_limited_to_domains, partner_suspended
 */
export function authorize(caller: Caller, route: CheckedRoute): void {
  const { access, scopes, method } = route;
  if (access === 'key' && caller.kind !== 'client') throw new AppError('client_token_required');
  if (caller.kind === 'master') return;
  if (caller.kind === 'client') {
    authorizeClient(caller, route);
    return;
  }
  if (access === 'any') return;
  const allowed = caller.scope === 'read' ? method === 'get' : scopes?.includes(caller.scope) === true;
  if (!allowed) throw new AppError('scope_not_allowed');
}

function authorizeClient(client: Client, route: CheckedRoute): void {
  const { access, method, wholePartner = access === 'key', dnsLink = false, whileSuspended = false } = route;
  const { credential } = client;
  if (access === 'master') throw new AppError('master_token_required');
  if (credential.kind === 'link' && (access === 'key' || (credential.use === 'dns' && !dnsLink))) {
    throw new AppError('link_not_allowed');
  }
  const isChange = method !== 'get' && !whileSuspended;
  if (client.scope === 'read' && (isChange || access === 'key')) throw new AppError('key_read_only');
  if (client.domainIds !== null && wholePartner) throw new AppError('key_limited_to_domains');
  if (client.partnerStage !== null && isChange) throw new AppError('partner_suspended');
}
