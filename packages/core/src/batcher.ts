import { AsyncResource } from 'node:async_hooks';

export interface BatchOptions {
  /** The most items that go into one flush. */
  maxItems: number;
  /** How many flushes may be under way at once. */
  maxInFlight: number;
  /**
   * Callers that were just answered often ask again at once. A batcher to whom at least `from` callers spoke during its last
   * flight waits until as many are there again, at most so many milliseconds. Where a flush costs much and an item little,
   * that buys throughput: otherwise callers fall into two groups, each of which waits for the inFlight of the other too.
   */
  gather?: { from: number; ms: number };
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
  private inFlight = 0;
  /** How many had asked when the last flight landed: those whom it answered, and those who wait. */
  private callers = 0;
  /** Among the waiting is a batch that waits for no more. */
  private flushNow = false;
  private scheduled: 'none' | 'gathering' | 'now' = 'none';
  private gathering: NodeJS.Timeout | undefined;

  /** @param flush answers with one result for each item, in the order of the items. */
  constructor(
    private readonly flush: (items: Item[]) => Promise<Result[]>,
    private readonly options: BatchOptions,
  ) {}

  call(item: Item): Promise<Result> {
    const result = this.enqueue(item);
    this.schedule();
    return result;
  }

  /** Calls with many items that are a batch already: they wait for no more. */
  callAll(items: readonly Item[]): Promise<Result[]> {
    const results = Promise.all(items.map((item) => this.enqueue(item)));
    this.flushNow = true;
    this.schedule();
    return results;
  }

  private enqueue(item: Item): Promise<Result> {
    return new Promise((resolve, reject) => {
      this.waiting.push({ item, resolve, reject });
    });
  }

  private schedule(): void {
    if (this.waiting.length === 0 || this.inFlight >= this.options.maxInFlight || this.scheduled === 'now') return;
    const { gather, maxItems } = this.options;
    const full = this.flushNow || this.waiting.length >= Math.min(maxItems, this.callers);
    if (!full && gather !== undefined && this.callers >= gather.from) {
      if (this.scheduled === 'none') this.flushIn(gather.ms);
      return;
    }
    clearTimeout(this.gathering);
    this.scheduled = 'now';
    // After the I/O of this turn, so that all requests read in one turn share a flush.
    this.context.runInAsyncScope(setImmediate, undefined, () => this.startFlush());
  }

  private flushIn(ms: number): void {
    this.scheduled = 'gathering';
    this.gathering = this.context.runInAsyncScope(setTimeout, undefined, () => this.startFlush(), ms);
  }

  private startFlush(): void {
    this.scheduled = 'none';
    const batch = this.waiting.splice(0, this.options.maxItems);
    this.flushNow = this.flushNow && this.waiting.length > 0;
    this.inFlight += 1;
    void this.flushBatch(batch).finally(() => {
      this.inFlight -= 1;
      this.callers = batch.length + this.waiting.length;
      this.schedule();
    });
    this.schedule();
  }

  private async flushBatch(batch: Waiting<Item, Result>[]): Promise<void> {
    try {
      const results = await this.flush(batch.map(({ item }) => item));
      if (results.length !== batch.length) throw new Error('A flush must answer every item');
      batch.forEach(({ resolve }, index) => resolve(results[index] as Result));
    } catch (reason) {
      if (batch.length === 1) batch[0]?.reject(reason);
      else for (const single of batch) await this.flushBatch([single]);
    }
  }
}
