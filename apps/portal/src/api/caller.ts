import { t } from '../texts/texts.js';
import type { Caller, Operation, SuspensionCause } from './shapes.js';

// What the page offers follows from `may` of the caller. What is allowed, the API alone decides.

export function isOperator(caller: Caller): boolean {
  return caller.kind !== 'client';
}

/** Whether the API refuses the operation to nobody of this kind, by its own list. */
export function may(caller: Caller, operation: Operation): boolean {
  return caller.may.includes(operation);
}

/** Whether the caller sees all of its partner: not for links, nor for keys that are limited to some domains. */
export function isWholePartner(caller: Caller): boolean {
  return caller.domains === null && caller.link === null;
}

/** Whether the caller is a customer of a partner, who knows its provider and not this service. */
export function isCustomer(caller: Caller): boolean {
  return !isOperator(caller) && !isWholePartner(caller);
}

/**
 * The causes of a suspension that the caller may name; the API says so of each request, because it depends on the body.
 */
export function nameableCauses({ kind }: Caller): SuspensionCause[] {
  if (kind === 'master') return ['operator', 'billing', 'abuse', 'partner'];
  return kind === 'client' ? ['partner'] : ['billing'];
}

/** The name that the page shows for the caller. */
export function nameOf(caller: Caller): string {
  if (caller.link !== null) return caller.domains?.[0] ?? t('door.aLink');
  return caller.partner_ref ?? caller.name ?? caller.kind;
}
