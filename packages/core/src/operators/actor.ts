import type { PartnerScope } from '../partners/partner.js';
import type { Caller } from './caller.js';

/** Who makes a change, and in which request; null when there is none. */
export type Actor = (Caller | { kind: 'system'; name: string }) & { requestId: string | null };

/** The actor of a job's changes. */
export function systemActor(name: string, requestId: string | null = null): Actor {
  return { kind: 'system', name, requestId };
}

/** What the actor may see and change. */
export function scopeOf(actor: Actor | Caller): PartnerScope {
  return actor.kind === 'client' ? actor.key.partnerId : 'all';
}

/** The name an audit row gives the actor: its name, or the id of its key. */
export function actorName(actor: Actor): string {
  return actor.kind === 'client' ? `key:${actor.key.id}` : actor.name;
}
