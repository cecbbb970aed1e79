import { AsyncResource } from 'node:async_hooks';

export interface BatchOptions {
  /** The most items that go into one flush. */
  maxItems: number;
  /** How many flushes may be under way at once. */
  maxFlights: number;
}

interface Waiting<Item, Result> {
  item: Item;
  resolve: (result: Result) => void;
  reject: (reason: unknown) => void;
}

/**
 * Turns concurrent calls into one set-based call. What arrives while a flush is under way waits for the
 * next one, so the batch grows with the load and an idle call waits for nothing.
 *
 * A call never joins a flush that has started, so an answer is never older than its question. A flush runs
 * outside the caller's context (no transaction, no request). When a flush of several items fails, each is
 * tried alone, so that one bad item fails alone; `flush` must therefore be all or nothing.
 */
export class Batcher<Item, Result> {
  private readonly context = new AsyncResource('Batcher');
  private waiting: Waiting<Item, Result>[] = [];
  private flights = 0;
  private scheduled = false;

  /** @param flush answers with one result for each item, in the order of the items. */
  constructor(
    private readonly flush: (items: Item[]) => Promise<Result[]>,
    private readonly options: BatchOptions,
  ) {}

  call(item: Item): Promise<Result> {
    return new Promise((resolve, reject) => {
      this.waiting.push({ item, resolve, reject });
      this.schedule();
    });
  }

  private schedule(): void {
    if (this.scheduled || this.waiting.length === 0 || this.flights >= this.options.maxFlights) return;
    this.scheduled = true;
    // After the I/O of this turn, so that all requests read in one turn share a flush.
    this.context.runInAsyncScope(setImmediate, undefined, () => this.depart());
  }

  private depart(): void {
    this.scheduled = false;
    const batch = this.waiting.splice(0, this.options.maxItems);
    this.flights += 1;
    void this.fly(batch).finally(() => {
      this.flights -= 1;
      this.schedule();
    });
    this.schedule();
  }

  private async fly(batch: Waiting<Item, Result>[]): Promise<void> {
    try {
      const results = await this.flush(batch.map(({ item }) => item));
      if (results.length !== batch.length) throw new Error('A flush must answer every item');
      batch.forEach(({ resolve }, index) => resolve(results[index] as Result));
    } catch (reason) {
      if (batch.length === 1) batch[0]?.reject(reason);
      else for (const single of batch) await this.fly([single]);
    }
  }
}
