import { AsyncLocalStorage } from 'node:async_hooks';
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
      { maxItems: 100, maxFlights: 1 },
    );
    expect(await Promise.all([1, 2, 3].map((item) => batcher.call(item)))).toEqual([10, 20, 30]);
    expect(flushed).toEqual([[1, 2, 3]]);
  });

  it('never lets a call join a flush that has started', async () => {
    const { flights, flush } = heldFlush();
    const batcher = new Batcher(flush, { maxItems: 100, maxFlights: 1 });
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
    const batcher = new Batcher(flush, { maxItems: 2, maxFlights: 2 });
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
      { maxItems: 100, maxFlights: 1 },
    );
    const outcomes = await Promise.allSettled([1, 2, 3].map((item) => batcher.call(item)));
    expect(outcomes.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
  });

  it('flushes outside the context of the caller', async () => {
    const context = new AsyncLocalStorage<string>();
    const batcher = new Batcher(async (items: number[]) => items.map(() => context.getStore()), {
      maxItems: 10,
      maxFlights: 1,
    });
    expect(await context.run('a request', () => batcher.call(1))).toBeUndefined();
  });
});
