import { AsyncResource } from 'node:async_hooks';

export interface BatchOptions {
  /** The maximum number of items in one flush. */
  maxItems: number;
  /** The maximum number of flushes in flight at once. */
  maxInFlight: number;
  /**
   * Callers that just got a result often call again at once. When the last flush had at least `from` callers, served or
   * queued, the next flush starts when the same number is queued again, and after `ms` milliseconds at the latest. This
   * raises the throughput when a flush is expensive and an item is cheap. Otherwise the callers would split into two
   * groups, and each group would wait for the flushes of both.
   */
  gather?: { from: number; ms: number };
}

interface Queued<Item, Result> {
  item: Item;
  resolve: (result: Result) => void;
  reject: (reason: unknown) => void;
}

/**
 * Combines concurrent calls into one set-based call. Calls that arrive during a flush wait for the next one, so batches
 * grow with the load. A call does not wait when no flush runs.
 *
 * A call never joins a flush that has started, so a result is never older than its call. A flush runs outside the
 * asynchronous context of the caller: it has neither the caller's transaction nor its request. When a flush of several
 * items fails, each item is flushed separately, so that a bad item fails without the others. `flush` must therefore do
 * all of its work or none.
 */
export class Batcher<Item, Result> {
  private readonly context = new AsyncResource('Batcher');
  private queued: Queued<Item, Result>[] = [];
  /** The number of flushes in flight. */
  private inFlight = 0;
  /** The size that the next batch waits for: callers served by the last flush plus callers queued when it ended. */
  private expected = 0;
  /** True when items of `callAll` are queued: the next flush does not wait for more callers. */
  private flushNow = false;
  /**
   * Whether a flush is planned: `gathering` starts it after `gather.ms` at the latest, `now` at the end of this turn of
   * the event loop.
   */
  private scheduled: 'none' | 'gathering' | 'now' = 'none';
  private gatherTimer: NodeJS.Timeout | undefined;

  /** @param flush returns one result for each item, in the order of the items. */
  constructor(
    private readonly flush: (items: Item[]) => Promise<Result[]>,
    private readonly options: BatchOptions,
  ) {}

  call(item: Item): Promise<Result> {
    const result = this.enqueue(item);
    this.schedule();
    return result;
  }

  /** Calls with many items at once, and does not wait for more callers. @returns one result for each item, in order. */
  callAll(items: readonly Item[]): Promise<Result[]> {
    const results = Promise.all(items.map((item) => this.enqueue(item)));
    this.flushNow = true;
    this.schedule();
    return results;
  }

  private enqueue(item: Item): Promise<Result> {
    return new Promise((resolve, reject) => {
      this.queued.push({ item, resolve, reject });
    });
  }

  private schedule(): void {
    if (this.queued.length === 0 || this.inFlight >= this.options.maxInFlight || this.scheduled === 'now') return;
    const { gather, maxItems } = this.options;
    const full = this.flushNow || this.queued.length >= Math.min(maxItems, this.expected);
    if (!full && gather !== undefined && this.expected >= gather.from) {
      if (this.scheduled === 'none') this.flushIn(gather.ms);
      return;
    }
    clearTimeout(this.gatherTimer);
    this.scheduled = 'now';
    // Flushes at the end of this turn of the event loop, so that all requests read in this turn share a flush.
    this.context.runInAsyncScope(setImmediate, undefined, () => this.startFlush());
  }

  private flushIn(ms: number): void {
    this.scheduled = 'gathering';
    this.gatherTimer = this.context.runInAsyncScope(setTimeout, undefined, () => this.startFlush(), ms);
  }

  private startFlush(): void {
    this.scheduled = 'none';
    const batch = this.queued.splice(0, this.options.maxItems);
    this.flushNow = this.flushNow && this.queued.length > 0;
    this.inFlight += 1;
    void this.flushBatch(batch).finally(() => {
      this.inFlight -= 1;
      this.expected = batch.length + this.queued.length;
      this.schedule();
    });
    this.schedule();
  }

  private async flushBatch(batch: Queued<Item, Result>[]): Promise<void> {
    try {
      const results = await this.flush(batch.map(({ item }) => item));
      if (results.length !== batch.length) throw new Error('A flush must return one result for each item');
      batch.forEach(({ resolve }, index) => resolve(results[index] as Result));
    } catch (reason) {
      if (batch.length === 1) batch[0]?.reject(reason);
      else for (const single of batch) await this.flushBatch([single]);
    }
  }
}
