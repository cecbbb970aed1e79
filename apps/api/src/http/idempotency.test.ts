import { jest } from '@jest/globals';
import type { Actor } from '@mailstead/core/operators/actor';
import { IdempotencyStore, type KeptAnswer } from '@mailstead/core/operators/idempotency-store';
import { FixedClock } from '@mailstead/core/testing/fixed-clock';
import { UnitOfWork } from '@mailstead/core/unit-of-work';
import { Idempotency } from './idempotency.js';

const ACTOR: Actor = { kind: 'system', name: 'test', requestId: null };
const ATTEMPT = { actor: ACTOR, key: 'one', path: '/users/', body: {}, table: 'mailbox', status: 201 } as const;

/** A store whose database goes away after a lease. */
class LeasesOnly extends IdempotencyStore {
  isAway = false;
  attempts = 0;
  readonly leases = new Set<string>();

  override async begin({ key }: { key: string }): Promise<KeptAnswer | null> {
    this.leases.add(key);
    return null;
  }

  override async free({ key }: { key: string }): Promise<void> {
    this.attempts += 1;
    if (this.isAway) throw new Error('away');
    this.leases.delete(key);
  }

  override keep = async () => undefined;
  override findAll = async () => [];
  override reserveAll = async () => [];
  override keepAll = async () => undefined;
  override freeAll = async () => undefined;
  override purge = async () => 0;
}

class NoTransactions extends UnitOfWork {
  override run<T>(work: () => Promise<T>): Promise<T> {
    return work();
  }

  override afterCommit(): void {
    throw new Error('Nothing is committed');
  }
}

describe('an idempotency key', () => {
  let store: LeasesOnly;
  let clock: FixedClock;
  let idempotency: Idempotency;

  beforeEach(() => {
    jest.useFakeTimers();
    store = new LeasesOnly();
    clock = new FixedClock();
    idempotency = new Idempotency(store, new NoTransactions(), clock);
  });

  afterEach(() => {
    jest.useRealTimers();
  });

  /** Runs a request during which the database goes away. */
  async function failing(): Promise<void> {
    const act = async () => {
      store.isAway = true;
      throw new Error('The database is away');
    };
    await expect(idempotency.run(ATTEMPT, async () => null, act)).rejects.toThrow('The database is away');
  }

  it('is freed as soon as the database is back, not at the end of its lease', async () => {
    await failing();
    expect(store.leases).toEqual(new Set(['one']));
    store.isAway = false;
    await jest.runAllTimersAsync();
    expect([store.leases.size, store.attempts]).toEqual([0, 2]);
  });

  it('is not freed any more when its lease may have ended by itself', async () => {
    await failing();
    clock.advance(41_000);
    await jest.runAllTimersAsync();
    expect([store.attempts, jest.getTimerCount()]).toEqual([2, 0]);
    expect(store.leases).toEqual(new Set(['one']));
  });
});
