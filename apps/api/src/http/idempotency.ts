import type { Clock } from '@mailstead/core/clock';
import { AppError, invalidField } from '@mailstead/core/errors';
import { type Actor, actorName } from '@mailstead/core/operators/actor';
import type { IdempotencyStore, IdempotentRequest, KeptSubject } from '@mailstead/core/operators/idempotency-store';
import type { UnitOfWork } from '@mailstead/core/unit-of-work';

const KEY = /^[\x20-\x7e]{1,255}$/;

/** The field of a body that is never stored with an answer; a repeated answer takes it from the repeated request. */
const SECRET_MEMBER = 'token';

export interface Attempt {
  actor: Actor;
  key: string;
  path: string;
  body: object;
  table: KeptSubject['table'];
  status: number;
}

/** A request takes effect once, however often it is repeated with the same `Idempotency-Key`. */
export class Idempotency {
  constructor(
    private readonly store: IdempotencyStore,
    private readonly unitOfWork: UnitOfWork,
    private readonly clock: Clock,
  ) {}

  /**
   * @param prepare costly work, done before the transaction.
   * @param act the effect; its answer is stored in the same transaction.
   * @throws AppError idempotency_key_reused, idempotency_in_progress, and what the work throws
   */
  async run<Prepared>(
    attempt: Attempt,
    prepare: () => Promise<Prepared>,
    act: (prepared: Prepared) => Promise<object>,
  ): Promise<{ replayed: boolean; answer: object }> {
    const request = toRequest(attempt);
    const kept = await this.store.begin(request, this.clock.now());
    if (kept !== null) return { replayed: true, answer: withSecret(kept.body, attempt.body) };
    try {
      const prepared = await prepare();
      const answer = await this.unitOfWork.run(async () => {
        const made = await act(prepared);
        await this.store.keep(
          request,
          { status: attempt.status, body: withoutSecret(made) },
          { table: attempt.table, id: idOf(made) },
        );
        return made;
      });
      return { replayed: false, answer };
    } catch (error) {
      await this.store.free(request).catch(() => undefined);
      throw error;
    }
  }
}

function toRequest({ actor, key, path, body }: Attempt): IdempotentRequest {
  if (!KEY.test(key)) throw invalidField('Idempotency-Key', 'must have 1 to 255 printable ASCII characters');
  return { caller: `${actor.kind}:${actorName(actor)}`, key, fingerprint: `${path}\n${JSON.stringify(body)}` };
}

function withoutSecret(answer: object): Record<string, unknown> {
  return Object.fromEntries(Object.entries(answer).filter(([name]) => name !== SECRET_MEMBER));
}

/** Puts the token back into a stored answer, after the id, where it was. */
function withSecret(answer: Record<string, unknown>, body: object): object {
  const token = Object.hasOwn(body, SECRET_MEMBER) ? (Reflect.get(body, SECRET_MEMBER) as unknown) : undefined;
  if (token === undefined) return answer;
  const { id, ...rest } = answer;
  return { id, [SECRET_MEMBER]: token, ...rest };
}

function idOf(answer: object): number {
  const id: unknown = Reflect.get(answer, 'id');
  if (typeof id !== 'number') throw new AppError('internal_error', { detail: 'An idempotent answer needs an id' });
  return id;
}
