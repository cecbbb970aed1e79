import { AsyncLocalStorage } from 'node:async_hooks';
import { jest } from '@jest/globals';
import { Batcher } from './batcher.js';

/** A flush that waits until the test ends it, with the list of batches in flight. */
function controlledFlush() {
  const batches: { items: number[]; succeed: () => void; fail: () => void }[] = [];
  const flush = (items: number[]) =>
    new Promise<number[]>((resolve, reject) => {
      batches.push({
        items,
        succeed: () => resolve(items.map((item) => item * 10)),
        fail: () => reject(new Error('failed')),
      });
    });
  return { batches, flush };
}

const turn = () => new Promise((resolve) => setImmediate(() => setImmediate(resolve)));

describe('a batcher', () => {
  it('flushes the calls of one turn together and returns to each its own result', async () => {
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
    const { batches, flush } = controlledFlush();
    const batcher = new Batcher(flush, { maxItems: 100, maxInFlight: 1 });
    const first = batcher.call(1);
    await turn();
    const second = batcher.call(2);
    await turn();
    expect(batches.map(({ items }) => items)).toEqual([[1]]);
    batches[0]?.succeed();
    await first;
    await turn();
    expect(batches.map(({ items }) => items)).toEqual([[1], [2]]);
    batches[1]?.succeed();
    expect(await second).toBe(20);
  });

  it('respects the maximum numbers of items and of flushes in flight', async () => {
    const { batches, flush } = controlledFlush();
    const batcher = new Batcher(flush, { maxItems: 2, maxInFlight: 2 });
    const calls = [1, 2, 3, 4, 5].map((item) => batcher.call(item));
    await turn();
    expect(batches.map(({ items }) => items)).toEqual([
      [1, 2],
      [3, 4],
    ]);
    batches[0]?.succeed();
    batches[1]?.succeed();
    await turn();
    batches[2]?.succeed();
    expect(await Promise.all(calls)).toEqual([10, 20, 30, 40, 50]);
  });

  it('rejects only the call of a bad item', async () => {
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

  it('flushes outside the asynchronous context of the caller', async () => {
    const context = new AsyncLocalStorage<string>();
    const batcher = new Batcher(async (items: number[]) => items.map(() => context.getStore()), {
      maxItems: 10,
      maxInFlight: 1,
    });
    expect(await context.run('a request', () => batcher.call(1))).toBeUndefined();
  });

  describe('with the option `gather`', () => {
    const busy = { maxItems: 3, maxInFlight: 1, gather: { from: 2, ms: 5 } };
    beforeEach(() => void jest.useFakeTimers({ doNotFake: ['setImmediate', 'nextTick', 'queueMicrotask'] }));
    afterEach(() => void jest.useRealTimers());

    /** A batcher whose first flush, of two items, has just ended. */
    async function afterTwo() {
      const controlled = controlledFlush();
      const batcher = new Batcher(controlled.flush, busy);
      const calls = Promise.all([batcher.call(1), batcher.call(2)]);
      await turn();
      controlled.batches[0]?.succeed();
      await calls;
      return { batcher, batches: controlled.batches };
    }

    it('waits for as many calls as the last flush had', async () => {
      const { batcher, batches } = await afterTwo();
      void batcher.call(3);
      await turn();
      expect(batches).toHaveLength(1);
      void batcher.call(4);
      await turn();
      expect(batches[1]?.items).toEqual([3, 4]);
    });

    it('waits at most for the given time', async () => {
      const { batcher, batches } = await afterTwo();
      void batcher.call(3);
      await turn();
      jest.advanceTimersByTime(5);
      expect(batches[1]?.items).toEqual([3]);
    });

    it('waits for the callers served by the last flush and the callers queued during it', async () => {
      const { batches, flush } = controlledFlush();
      const batcher = new Batcher(flush, { ...busy, maxItems: 10 });
      const first = Promise.all([batcher.call(1), batcher.call(2)]);
      await turn();
      void batcher.call(3);
      batches[0]?.succeed();
      await first;
      for (const item of [4, 5]) {
        await turn();
        expect(batches).toHaveLength(1);
        void batcher.call(item);
      }
      await turn();
      expect(batches[1]?.items).toEqual([3, 4, 5]);
    });

    it('flushes at once when a batch is full', async () => {
      const { batcher, batches } = await afterTwo();
      for (const item of [3, 4, 5]) void batcher.call(item);
      await turn();
      expect(batches[1]?.items).toEqual([3, 4, 5]);
    });

    it('does not delay `callAll`', async () => {
      const { batcher, batches } = await afterTwo();
      void batcher.call(3);
      void batcher.callAll([4]);
      await turn();
      expect(batches[1]?.items).toEqual([3, 4]);
    });

    it('flushes at once when the last flush was small', async () => {
      const { batches, flush } = controlledFlush();
      const batcher = new Batcher(flush, busy);
      void batcher.call(1);
      await turn();
      expect(batches[0]?.items).toEqual([1]);
    });
  });
});
