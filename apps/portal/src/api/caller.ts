import type { Caller } from './shapes.js';

// What the page offers follows from who the caller is. What is allowed, the API alone decides.

export function isOperator(caller: Caller): boolean {
  return caller.kind !== 'client';
}

export function isMaster(caller: Caller): boolean {
  return caller.kind === 'master';
}

/** Whether the caller sees all of its partner: not for links, nor for keys that are limited to some domains. */
export function isWholePartner(caller: Caller): boolean {
  return caller.domains === null && caller.link === null;
}

/** Whether the caller reads what is of all partners: master, and the operators of the scope `read`. */
export function readsAll(caller: Caller): boolean {
  return isMaster(caller) || (caller.kind === 'operator' && caller.scope === 'read');
}

/** Whether the caller reads events and what was deleted: not the operators of other scopes, such as `billing`. */
export function readsHistory(caller: Caller): boolean {
  return !isOperator(caller) || readsAll(caller);
}

/**
 * Whether the caller reads what is in a domain and what it sends: not the operators of other scopes, such as `billing`.
 */
export const readsContents = readsHistory;

/**
 * Whether the caller reads what domains used: a partner's keys for all its domains, and operators but those of
 * `policy`.
 */
export function readsUsage(caller: Caller): boolean {
  return isOperator(caller) ? readsAll(caller) || caller.scope === 'billing' : isWholePartner(caller);
}

/** Whether the caller makes links to the DNS page of a domain. */
export function sharesDns(caller: Caller): boolean {
  return caller.link === null && (mayChange(caller) || (isOperator(caller) && caller.scope === 'billing'));
}

/** Whether the caller has keys of its own to keep: a key that may change everything of its partner. */
export function keepsKeys(caller: Caller): boolean {
  return caller.kind === 'client' && caller.scope === 'manage' && isWholePartner(caller);
}

/** Whether writing controls are shown at all. */
export function mayChange(caller: Caller): boolean {
  if (caller.kind === 'client') return caller.scope !== 'read' && caller.link !== 'dns';
  return isMaster(caller);
}

/** The name that the page shows for the caller. */
export function nameOf(caller: Caller): string {
  if (caller.link !== null) return caller.domains?.[0] ?? 'a link';
  return caller.partner_ref ?? caller.name ?? caller.kind;
}
