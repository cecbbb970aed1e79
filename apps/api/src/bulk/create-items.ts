import { Clock } from '@mailstead/core/clock';
import { AppError } from '@mailstead/core/errors';
import { needs } from '@mailstead/core/needs';
import {
  IdempotencyStore,
  type IdempotentRequest,
  type KeptOutcome,
  type KeptRequest,
} from '@mailstead/core/operators/idempotency-store';
import { UnitOfWork } from '@mailstead/core/unit-of-work';
import { allNames, type NamesLeft } from '../http/fields/field-errors.js';
import { createdIdOf, toRequest } from '../http/idempotency.js';
import { appErrorOf, problemOf, statusOf } from '../http/problem.js';
import { StatusResponse } from '../http/responses.js';
import type { Route, RouteRequest } from '../http/route.js';
import { validate } from '../http/validate.js';
import type { ItemResponse, ItemsBody } from './bulk-dto.js';

/**
 * The items that one transaction creates. More of them are hardly faster (`docs/performance.md`), and the partner's
 * other requests wait for the end of the transaction.
 */
const ITEMS_PER_TRANSACTION = 25;

type Input = RouteRequest<object, object, unknown>;
type ItemOutcome = ItemResponse & { body?: object };

/** The route that creates a single item, and the key of the request that creates many. */
export interface ItemCreation {
  create: Route;
  /** Method and path of the bulk route. A key is valid for it only. */
  path: string;
}

/** An item of the right shape. */
interface ReadyItem {
  index: number;
  input: Input;
  /** Null without an `Idempotency-Key`. */
  request: IdempotentRequest | null;
  /** Why `prepare` refused the item; null when it did not. Ignored when an earlier request created the item. */
  refusal: { error: unknown } | null;
}

/**
 * Creates the items of a bulk request. Each item is created as the route of a single one does: completely or not at
 * all, and without an effect on the others.
 *
 * Several items share a transaction. When one of them fails, the transaction is rolled back, and each of its items gets
 * a transaction of its own.
 */
@needs(IdempotencyStore, UnitOfWork, Clock)
export class CreateItems {
  constructor(
    private readonly idempotency: IdempotencyStore,
    private readonly unitOfWork: UnitOfWork,
    private readonly clock: Clock,
  ) {}

  /**
   * @returns the outcome of each item, in their order. When the database goes away or is busy after some items were
   * created, the others have `database_unavailable` or `busy`.
   * @throws AppError validation_failed for the key; database_unavailable or busy when no item was created
   */
  async execute(creation: ItemCreation, request: RouteRequest<ItemsBody, object, unknown>): Promise<ItemOutcome[]> {
    const outcomes: ItemOutcome[] = [];
    const ready: ReadyItem[] = [];
    const bulk = { ...request, closeSignal: once(request.closeSignal), namesLeft: allNames() };
    for (const [index, raw] of request.body.items.entries()) {
      const item = readItem(creation, bulk, index, raw);
      if (item instanceof AppError) outcomes[index] = failed(request, item);
      else ready.push(item);
    }
    for (let from = 0; from < ready.length; from += ITEMS_PER_TRANSACTION) {
      const group = ready.slice(from, from + ITEMS_PER_TRANSACTION);
      const outage = await this.createGroup(creation.create, group, outcomes);
      if (outage === null) continue;
      // An error would hide from the caller which items were created. Items without an outcome yet are skipped.
      if (outcomes.every(({ problem }) => problem !== undefined)) throw outage;
      for (const { index, input } of ready.slice(from)) outcomes[index] ??= failed(input, outage);
      break;
    }
    return outcomes;
  }

  /** Adds the outcomes of the group. @returns the outage of the database that stopped it, or null. */
  private async createGroup(create: Route, group: ReadyItem[], outcomes: ItemOutcome[]): Promise<AppError | null> {
    await this.prepare(create, group);
    const together = await this.attempt(create, group);
    if (!('error' in together)) {
      for (const [offset, { index }] of group.entries()) outcomes[index] = together.outcomes[offset] as ItemOutcome;
      return null;
    }
    if (isOutage(together.error)) return together.error;
    for (const item of group) {
      const alone = await this.attempt(create, [item]);
      if ('error' in alone && isOutage(alone.error)) return alone.error;
      outcomes[item.index] = 'error' in alone ? failed(item.input, alone.error) : (alone.outcomes[0] as ItemOutcome);
    }
    return null;
  }

  /**
   * Does the expensive work of new items, such as hashing a password, one after the other: other partners wait for it
   * too.
   */
  private async prepare(create: Route, items: ReadyItem[]): Promise<void> {
    if (create.prepare === undefined) return;
    const known = await this.idempotency.findAll(requestsOf(items), this.clock.now());
    for (const [offset, item] of items.entries()) {
      if ((known[offset] ?? null) !== null) continue;
      try {
        item.input.prepared = await create.prepare(item.input);
      } catch (error) {
        item.refusal = { error };
      }
    }
  }

  private async attempt(create: Route, items: ReadyItem[]): Promise<{ outcomes: ItemOutcome[] } | { error: unknown }> {
    try {
      return { outcomes: await this.unitOfWork.run(() => this.createAll(create, items)) };
    } catch (error) {
      return { error };
    }
  }

  /** Runs in a unit of work. @throws AppError of the first item that fails */
  private async createAll(create: Route, items: ReadyItem[]): Promise<ItemOutcome[]> {
    const known = await this.idempotency.reserveAll(requestsOf(items), this.clock.now());
    const outcomes: ItemOutcome[] = [];
    const kept: KeptRequest[] = [];
    const unused: IdempotentRequest[] = [];
    for (const [offset, { input, request, refusal }] of items.entries()) {
      const earlier = known[offset] ?? null;
      if (earlier !== null) outcomes.push(repeated(input, earlier));
      else if (refusal !== null) {
        outcomes.push(failed(input, refusal.error));
        if (request !== null) unused.push(request);
      } else {
        const made = await create.run(input);
        if (made instanceof StatusResponse) {
          outcomes.push({ status: made.status, body: made.body });
          continue;
        }
        const body = made as Record<string, unknown>;
        outcomes.push({ status: create.status, body });
        if (request === null || create.idempotent === undefined) continue;
        const subject = { table: create.idempotent, id: createdIdOf(body) };
        kept.push({ request, answer: { status: create.status, body }, subject });
      }
    }
    await this.idempotency.keepAll(kept);
    await this.idempotency.freeAll(unused);
    return outcomes;
  }
}

function readItem(
  { create, path }: ItemCreation,
  { namesLeft, ...bulk }: RouteRequest<ItemsBody, object, unknown> & { namesLeft: NamesLeft },
  index: number,
  raw: unknown,
): ReadyItem | AppError {
  if (create.body === undefined) throw new Error(`${create.path} has no body`);
  const { instance, errors } = validate(create.body, raw, namesLeft);
  if (instance === null) {
    const sentences = errors.map(({ field, message }) =>
      field === '' ? `The item ${message}` : `${field} ${message}`,
    );
    return new AppError('validation_failed', { detail: sentences.join('; '), errors });
  }
  const key = bulk.headers['idempotency-key'];
  const input = { ...bulk, body: instance, prepared: undefined };
  const isKept = key !== undefined && create.idempotent !== undefined;
  if (!isKept) return { index, input, request: null, refusal: null };
  const request = toRequest({ actor: bulk.actor, key: String(key), path, body: instance });
  return { index, input, request: { ...request, key: `${request.key}#${index}` }, refusal: null };
}

/** Each call of `closeSignal` adds a listener to the response; the items share one. */
function once<T>(make: () => T): () => T {
  let made: { value: T } | null = null;
  return () => {
    made ??= { value: make() };
    return made.value;
  };
}

/** One for each item, or none: all items of a bulk request have a key, or none has. */
function requestsOf(items: readonly ReadyItem[]): IdempotentRequest[] {
  return items.flatMap(({ request }) => (request === null ? [] : [request]));
}

function repeated(input: Input, earlier: NonNullable<KeptOutcome>): ItemOutcome {
  if (earlier instanceof AppError) return failed(input, earlier);
  return { status: earlier.status, replayed: true, body: earlier.body };
}

function failed({ actor, reportDefect }: Pick<Input, 'actor' | 'reportDefect'>, error: unknown): ItemOutcome {
  const known = appErrorOf(error);
  if (known === null) reportDefect(error);
  const problem = known ?? new AppError('internal_error');
  return { status: statusOf(problem.kind), problem: problemOf(problem, actor.requestId ?? '') };
}

function isOutage(error: unknown): error is AppError {
  return error instanceof AppError && (error.code === 'database_unavailable' || error.code === 'busy');
}
