import { AsyncLocalStorage } from 'node:async_hooks';
import { jest } from '@jest/globals';
import { Batcher } from './batcher.js';

/** A flush that waits until the test lets it go, and remembers what it was given. */
function heldFlush() {
  const flights: { items: number[]; land: () => void; crash: () => void }[] = [];
  const flush = (items: number[]) =>
    new Promise<number[]>((resolve, reject) => {
      flights.push({
        items,
        land: () => resolve(items.map((item) => item * 10)),
        crash: () => reject(new Error('crash')),
      });
    });
  return { flights, flush };
}

const turn = () => new Promise((resolve) => setImmediate(() => setImmediate(resolve)));

describe('a batcher', () => {
  it('answers every call of one turn by one flush, each with its own result', async () => {
    const flushed: number[][] = [];
    const batcher = new Batcher(
      async (items: number[]) => {
        flushed.push(items);
        return items.map((item) => item * 10);
      },
      { maxItems: 100, maxInFlight: 1 },
    );
    expect(await Promise.all([1, 2, 3].map((item) => batcher.call(item)))).toEqual([10, 20, 30]);
    expect(flushed).toEqual([[1, 2, 3]]);
  });

  it('never lets a call join a flush that has started', async () => {
    const { flights, flush } = heldFlush();
    const batcher = new Batcher(flush, { maxItems: 100, maxInFlight: 1 });
    const first = batcher.call(1);
    await turn();
    const second = batcher.call(2);
    await turn();
    expect(flights.map(({ items }) => items)).toEqual([[1]]);
    flights[0]?.land();
    await first;
    await turn();
    expect(flights.map(({ items }) => items)).toEqual([[1], [2]]);
    flights[1]?.land();
    expect(await second).toBe(20);
  });

  it('keeps to the most items and the most flights', async () => {
    const { flights, flush } = heldFlush();
    const batcher = new Batcher(flush, { maxItems: 2, maxInFlight: 2 });
    const calls = [1, 2, 3, 4, 5].map((item) => batcher.call(item));
    await turn();
    expect(flights.map(({ items }) => items)).toEqual([
      [1, 2],
      [3, 4],
    ]);
    flights[0]?.land();
    flights[1]?.land();
    await turn();
    flights[2]?.land();
    expect(await Promise.all(calls)).toEqual([10, 20, 30, 40, 50]);
  });

  it('lets one bad item fail alone', async () => {
    const batcher = new Batcher(
      async (items: number[]) => {
        if (items.includes(2)) throw new Error('bad item');
        return items;
      },
      { maxItems: 100, maxInFlight: 1 },
    );
    const outcomes = await Promise.allSettled([1, 2, 3].map((item) => batcher.call(item)));
    expect(outcomes.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
  });

  it('flushes outside the context of the caller', async () => {
    const context = new AsyncLocalStorage<string>();
    const batcher = new Batcher(async (items: number[]) => items.map(() => context.getStore()), {
      maxItems: 10,
      maxInFlight: 1,
    });
    expect(await context.run('a request', () => batcher.call(1))).toBeUndefined();
  });

  describe('that gathers when it is busy', () => {
    const busy = { maxItems: 3, maxInFlight: 1, gather: { from: 2, ms: 5 } };
    beforeEach(() => void jest.useFakeTimers({ doNotFake: ['setImmediate', 'nextTick', 'queueMicrotask'] }));
    afterEach(() => void jest.useRealTimers());

    /** A batcher whose first flush, of two items, has just landed. */
    async function afterTwo() {
      const held = heldFlush();
      const batcher = new Batcher(held.flush, busy);
      const calls = Promise.all([batcher.call(1), batcher.call(2)]);
      await turn();
      held.flights[0]?.land();
      await calls;
      return { batcher, flights: held.flights };
    }

    it('waits until as many ask as asked before', async () => {
      const { batcher, flights } = await afterTwo();
      void batcher.call(3);
      await turn();
      expect(flights).toHaveLength(1);
      void batcher.call(4);
      await turn();
      expect(flights[1]?.items).toEqual([3, 4]);
    });

    it('waits for a time only', async () => {
      const { batcher, flights } = await afterTwo();
      void batcher.call(3);
      await turn();
      jest.advanceTimersByTime(5);
      expect(flights[1]?.items).toEqual([3]);
    });

    it('joins those who waited for a flight with those whom it answered', async () => {
      const { flights, flush } = heldFlush();
      const batcher = new Batcher(flush, { ...busy, maxItems: 10 });
      const first = Promise.all([batcher.call(1), batcher.call(2)]);
      await turn();
      void batcher.call(3);
      flights[0]?.land();
      await first;
      for (const item of [4, 5]) {
        await turn();
        expect(flights).toHaveLength(1);
        void batcher.call(item);
      }
      await turn();
      expect(flights[1]?.items).toEqual([3, 4, 5]);
    });

    it('waits no longer once a batch is full', async () => {
      const { batcher, flights } = await afterTwo();
      for (const item of [3, 4, 5]) void batcher.call(item);
      await turn();
      expect(flights[1]?.items).toEqual([3, 4, 5]);
    });

    it('does not hold up calls that are a batch already', async () => {
      const { batcher, flights } = await afterTwo();
      void batcher.call(3);
      void batcher.callAll([4]);
      await turn();
      expect(flights[1]?.items).toEqual([3, 4]);
    });

    it('flushes at once when it was not busy before', async () => {
      const { flights, flush } = heldFlush();
      const batcher = new Batcher(flush, busy);
      void batcher.call(1);
      await turn();
      expect(flights[0]?.items).toEqual([1]);
    });
  });
});
