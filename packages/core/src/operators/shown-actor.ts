import type { Actor } from './actor.js';

/** Who made a change, as an audit row has it. */
export interface RecordedActor {
  actorKind: Actor['kind'];
  /** The name of `actorName`. */
  actor: string;
}

/** Who made a change, as the viewer may see it: clients do not learn which operator it was. */
export function shownActor({ actorKind, actor }: RecordedActor, viewer: Actor): { kind: Actor['kind']; name: string } {
  const isByOperator = actorKind === 'master' || actorKind === 'operator';
  return viewer.kind === 'client' && isByOperator
    ? { kind: 'operator', name: 'operator' }
    : { kind: actorKind, name: actor };
}
