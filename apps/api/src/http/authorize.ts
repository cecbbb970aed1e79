import { AppError, type ErrorCode } from '@mailstead/core/errors';
import type { Caller, Client } from '@mailstead/core/operators/caller';
import type { RestoreGate } from '@mailstead/core/recovery/restore-gate';
import type { Route } from './route.js';

type CheckedRoute = Pick<
  Route,
  | 'access'
  | 'tokenAccess'
  | 'scopes'
  | 'method'
  | 'notForScopes'
  | 'wholePartner'
  | 'readKeys'
  | 'dnsLink'
  | 'whileSuspended'
>;

/**
 * Checks that a caller of this kind may use the route: the kind of token, then what a key or a link is limited to, then
 * the stage of its partner.
 *
 * @throws AppError master_token_required, scope_not_allowed, client_token_required, link_not_allowed, key_read_only,
 * key_limited_to_domains, partner_suspended
 */
export function authorize(caller: Caller, route: CheckedRoute): void {
  const refusal = refusalOf(caller, route);
  if (refusal !== null) throw new AppError(refusal);
}

/**
 * Until the operator accepts a restored database, only master is served, and the mail servers get their verdicts.
 *
 * @throws AppError restore_not_accepted
 */
export function refuseBeforeAccepted(caller: Caller, gate: RestoreGate): void {
  if (caller.kind === 'master' || (caller.kind === 'operator' && caller.scope === 'policy')) return;
  gate.refuse();
}

/** Whether the caller is not refused for what it is. A request may still be refused for what it contains. */
export function mayUse(caller: Caller, route: CheckedRoute): boolean {
  return refusalOf(caller, route) === null;
}

function refusalOf(caller: Caller, route: CheckedRoute): ErrorCode | null {
  const { scopes, method, notForScopes } = route;
  const access = accessOf(route);
  if (access === 'key' && caller.kind !== 'client') return 'client_token_required';
  if (caller.kind === 'master') return null;
  if (caller.kind === 'client') return clientRefusalOf(caller, route);
  if (notForScopes?.includes(caller.scope) === true) return 'scope_not_allowed';
  if (access === 'any' || access === 'public') return null;
  const allowed = caller.scope === 'read' ? method === 'get' : scopes?.includes(caller.scope) === true;
  return allowed ? null : 'scope_not_allowed';
}

function clientRefusalOf(client: Client, route: CheckedRoute): ErrorCode | null {
  const access = accessOf(route);
  const {
    method,
    wholePartner = access === 'key',
    readKeys = access !== 'key',
    dnsLink = false,
    whileSuspended = false,
  } = route;
  const { credential } = client;
  if (access === 'public') return null;
  if (access === 'master') return 'master_token_required';
  if (credential.kind === 'link' && (access === 'key' || (credential.use === 'dns' && !dnsLink))) {
    return 'link_not_allowed';
  }
  const isChange = method !== 'get' && !whileSuspended;
  if (client.scope === 'read' && (isChange || !readKeys)) return 'key_read_only';
  if (client.domainIds !== null && wholePartner) return 'key_limited_to_domains';
  if (client.partnerStage !== null && isChange) return 'partner_suspended';
  return null;
}

function accessOf({ access, tokenAccess = access }: CheckedRoute): CheckedRoute['access'] {
  return tokenAccess;
}
