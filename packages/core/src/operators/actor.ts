import type { PartnerScope } from '../partners/partner.js';
import type { Caller } from './caller.js';

/** Who makes a change, and the id of the request; null without a request. */
export type Actor = (Caller | { kind: 'system'; name: string }) & { requestId: string | null };

/** The actor of changes that a job makes. */
export function systemActor(name: string, requestId: string | null = null): Actor {
  return { kind: 'system', name, requestId };
}

/** The partner whose data the actor may see and change; `all` for operators and jobs. */
export function scopeOf(actor: Actor | Caller): PartnerScope {
  return actor.kind === 'client' ? actor.key.partnerId : 'all';
}

/** The name of the actor in an audit row; for a client `key:` and the id of its key. */
export function actorName(actor: Actor): string {
  return actor.kind === 'client' ? `key:${actor.key.id}` : actor.name;
}
