import { maskToken } from '@mailstead/core/api-keys/api-key';
import { Clock } from '@mailstead/core/clock';
import { AppError, invalidField } from '@mailstead/core/errors';
import { needs } from '@mailstead/core/needs';
import { type Actor, actorName, scopeOf } from '@mailstead/core/operators/actor';
import {
  IdempotencyStore,
  type IdempotentRequest,
  type KeptSubject,
} from '@mailstead/core/operators/idempotency-store';
import { UnitOfWork } from '@mailstead/core/unit-of-work';

const KEY = /^[\x20-\x7e]{1,255}$/;

/** A field of the response that is stored masked. A replayed response shows what the repeated request contains. */
const SECRET_MEMBER = 'token';

const FREE_AGAIN_MS = 1_000;
/** Well below the lease of 60 s, because a statement may take a while. */
const FREED_WITHIN_MS = 40_000;
const MAX_UNFREED = 1_000;

export interface Attempt {
  actor: Actor;
  key: string;
  path: string;
  body: object;
  table: KeptSubject['table'];
  status: number;
}

/** Makes a request that is repeated with the same `Idempotency-Key` take effect once. */
@needs(IdempotencyStore, UnitOfWork, Clock)
export class Idempotency {
  /** Keys that wait to be freed. */
  private unfreed = 0;

  constructor(
    private readonly store: IdempotencyStore,
    private readonly unitOfWork: UnitOfWork,
    private readonly clock: Clock,
  ) {}

  /**
   * @param prepare expensive work, done before the transaction.
   * @param act makes the change; its response is stored in the same transaction.
   * @throws AppError idempotency_key_reused, idempotency_in_progress, and errors of `prepare` and `act`.
   */
  async run<Prepared>(
    attempt: Attempt,
    prepare: () => Promise<Prepared>,
    act: (prepared: Prepared) => Promise<object>,
  ): Promise<{ replayed: boolean; result: object }> {
    const request = toRequest(attempt);
    const begunAt = this.clock.now();
    const kept = await this.store.begin(request, begunAt);
    if (kept !== null) return { replayed: true, result: withSecret(kept.body, attempt.body) };
    try {
      const prepared = await prepare();
      const result = await this.unitOfWork.run(async () => {
        const made = await act(prepared);
        await this.store.keep(
          request,
          begunAt,
          { status: attempt.status, body: withoutSecret(made) },
          { table: attempt.table, id: createdIdOf(made) },
        );
        return made;
      });
      return { replayed: false, result };
    } catch (error) {
      await this.free(request, begunAt);
      throw error;
    }
  }

  /**
   * Frees the key; when the database is away, again while the lease lasts, so that a repeated request need not wait for
   * its end.
   */
  private async free(request: IdempotentRequest, begunAt: Date): Promise<void> {
    try {
      await this.store.free(request, begunAt);
    } catch {
      const isLate = this.clock.now().getTime() - begunAt.getTime() > FREED_WITHIN_MS;
      if (isLate || this.unfreed >= MAX_UNFREED) return;
      this.unfreed += 1;
      setTimeout(() => {
        this.unfreed -= 1;
        void this.free(request, begunAt);
      }, FREE_AGAIN_MS).unref();
    }
  }
}

/** @throws AppError validation_failed */
export function toRequest({
  actor,
  key,
  path,
  body,
}: Pick<Attempt, 'actor' | 'key' | 'path' | 'body'>): IdempotentRequest {
  if (!KEY.test(key)) throw invalidField('Idempotency-Key', 'must have 1 to 255 printable ASCII characters');
  const session = actor.kind === 'system' ? undefined : actor.session;
  const caller = `${actor.kind}:${actorName(actor)}${session === undefined ? '' : `:session:${session.id}`}`;
  return { caller, scope: scopeOf(actor), key, fingerprint: `${path}\n${JSON.stringify(body)}` };
}

/** Masks the secret. */
function withoutSecret(result: object): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(result).map(([name, value]) => [name, name === SECRET_MEMBER ? maskToken(String(value)) : value]),
  );
}

/** Shows the secret in a stored response when the repeated request contains it. */
function withSecret(result: Record<string, unknown>, body: object): object {
  const secret = Object.hasOwn(body, SECRET_MEMBER) ? (Reflect.get(body, SECRET_MEMBER) as unknown) : undefined;
  if (secret === undefined) return result;
  return { ...result, [SECRET_MEMBER]: secret };
}

/** The id in the response to a creation. */
export function createdIdOf(result: object): number {
  const id: unknown = Reflect.get(result, 'id');
  if (typeof id !== 'number') throw new AppError('internal_error', { detail: 'An idempotent answer needs an id' });
  return id;
}
