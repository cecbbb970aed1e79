import type { PartnerScope } from '../partners/partner-scope.js';
import type { Caller, Client } from './caller.js';

/** Who makes a change, and the ids of the request. */
export type Actor = (Caller | { kind: 'system'; name: string }) & {
  /** The id of the request, which its caller may have chosen; null without a request. A job has that of its request. */
  requestId: string | null;
  /** The service's own id of the request; absent without a request, and in a job. */
  requestUid?: string;
  /** The revisions that the request expects of what it changes, one of them; absent: any. See `raiseRevision`. */
  expected?: readonly number[];
};

/** The actor of changes that a job makes. */
export function systemActor(name: string, requestId: string | null = null): Actor {
  return { kind: 'system', name, requestId };
}

/** The rows that the actor may see and change; `all` for operators and jobs. */
export function scopeOf(actor: Actor | Caller): PartnerScope {
  return actor.kind === 'client' ? actor : 'all';
}

/** The name of the actor in an audit row; for a client `key:` or `link:` and the id. */
export function actorName(actor: Actor): string {
  return actor.kind === 'client' ? credentialName(actor) : actor.name;
}

/** `key:17` or `link:3`. */
function credentialName({ credential }: Client): string {
  return `${credential.kind}:${credential.id}`;
}
