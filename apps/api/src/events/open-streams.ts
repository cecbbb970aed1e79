import { AppError } from '@mailstead/core/errors';
import { type Actor, actorName } from '@mailstead/core/operators/actor';

const MOST_OF_A_SESSION = 2;
const MOST_OF_A_TOKEN = 5;
const MOST_OF_A_PARTNER = 20;
const MOST_IN_ALL = 500;

/** Counts the open streams of this process: of each key, session or operator, of each partner, and all of them. */
export class OpenStreams {
  private readonly open = new Map<string, number>();

  /** @returns ends the stream; a second call does nothing. @throws AppError too_many_streams */
  begin(actor: Actor): () => void {
    const bounds = boundsOf(actor);
    const full = bounds.find(({ name, most }) => this.numberOf(name) >= most);
    if (full !== undefined) throw new AppError('too_many_streams', { detail: full.detail });
    for (const { name } of bounds) this.open.set(name, this.numberOf(name) + 1);
    let isOpen = true;
    return () => {
      if (isOpen) for (const { name } of bounds) this.end(name);
      isOpen = false;
    };
  }

  private numberOf(name: string): number {
    return this.open.get(name) ?? 0;
  }

  private end(name: string): void {
    const left = this.numberOf(name) - 1;
    if (left > 0) this.open.set(name, left);
    else this.open.delete(name);
  }
}

interface Bound {
  name: string;
  most: number;
  detail: string;
}

/** Operators have no partner. */
function boundsOf(actor: Actor): Bound[] {
  const session = actor.kind === 'system' ? undefined : actor.session;
  const own =
    session === undefined
      ? { name: `token:${actorName(actor)}`, most: MOST_OF_A_TOKEN }
      : { name: `session:${session.id}`, most: MOST_OF_A_SESSION };
  return [
    { ...own, detail: 'Too many open event streams of this caller; close one' },
    ...(actor.kind === 'client'
      ? [
          {
            name: `partner:${actor.partnerId}`,
            most: MOST_OF_A_PARTNER,
            detail: 'Too many open event streams of this partner; close one',
          },
        ]
      : []),
    { name: 'all', most: MOST_IN_ALL, detail: 'Too many open event streams in this process; try again later' },
  ];
}
