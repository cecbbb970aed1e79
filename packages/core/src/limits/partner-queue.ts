import { AppError, type ErrorCode } from '../errors.js';
import type { RequestOwner } from '../partners/partner-scope.js';

export interface QueueBounds {
  /** How many tasks run at once. */
  workers: number;
  /** How many tasks of one partner run at once. */
  runningPerPartner: number;
  /** How many tasks of one partner may wait. */
  waitingPerPartner: number;
  /** How many tasks may wait in all. */
  waiting: number;
  /** How long a task may wait, milliseconds. */
  waitMs: number;
}

/** The code of a refused task: by the bounds of its partner, or by those of the whole queue. */
export interface QueueRefusals {
  ofPartner: ErrorCode;
  ofQueue: ErrorCode;
}

/** A task that is not `refusable` ignores the bounds of waiting tasks. */
interface TaskOptions {
  /** Removes a task that has not started from the queue. */
  signal?: AbortSignal;
  refusable?: boolean;
}

interface Waiting {
  start: () => void;
  refuse: (error: AppError) => void;
}

/**
 * Runs costly tasks round-robin over the partners: one task of each partner that has waiting tasks, then the next one
 * of each. Operators (`all`) count as one partner. A task with a symbol counts as a partner of its own.
 *
 * A task is refused with `ofPartner` when its partner has too many waiting tasks, or when it waited too long. When the
 * whole queue is full, the newest task of the partner with the longest queue is refused with `ofPartner`, and the new
 * task waits. The new task is refused with `ofQueue` when, with it, the queue of its own partner would be as long as
 * the longest one.
 */
export class PartnerQueue<Partner = RequestOwner | symbol> {
  /** Waiting tasks by partner; the first partner is served next. A partner without waiting tasks has no entry. */
  private readonly queues = new Map<Partner, Waiting[]>();
  /** Running tasks by partner. A partner without running tasks has no entry. */
  private readonly runningOf = new Map<Partner, number>();
  private waitingCount = 0;
  private running = 0;

  constructor(
    private readonly bounds: QueueBounds,
    private readonly refusals: QueueRefusals,
  ) {}

  /**
   * @throws AppError of the refusals; request_cancelled when the signal is aborted before the task starts
   */
  async run<T>(partner: Partner, task: () => Promise<T>, options: TaskOptions = {}): Promise<T> {
    if (options.signal?.aborted === true) throw new AppError('request_cancelled');
    if (this.hasPlace(partner)) this.begin(partner);
    else await this.wait(partner, options);
    try {
      return await task();
    } finally {
      this.end(partner);
      this.startNext();
    }
  }

  private hasPlace(partner: Partner): boolean {
    return this.running < this.bounds.workers && (this.runningOf.get(partner) ?? 0) < this.bounds.runningPerPartner;
  }

  private begin(partner: Partner): void {
    this.running += 1;
    this.runningOf.set(partner, (this.runningOf.get(partner) ?? 0) + 1);
  }

  private end(partner: Partner): void {
    this.running -= 1;
    const left = (this.runningOf.get(partner) ?? 0) - 1;
    if (left > 0) this.runningOf.set(partner, left);
    else this.runningOf.delete(partner);
  }

  /** Waits until the task may run. It is then already counted as running. */
  private async wait(partner: Partner, { signal, refusable = true }: TaskOptions): Promise<void> {
    if (refusable) this.reservePlace(partner);
    let cancel: () => void = () => undefined;
    let timer: NodeJS.Timeout | undefined;
    try {
      await new Promise<void>((resolve, reject) => {
        const waiting: Waiting = { start: resolve, refuse: reject };
        const queue = this.queues.get(partner) ?? [];
        this.queues.set(partner, queue);
        queue.push(waiting);
        this.waitingCount += 1;
        const refuse = (code: ErrorCode) => {
          if (this.remove(partner, waiting)) reject(new AppError(code));
        };
        cancel = () => refuse('request_cancelled');
        signal?.addEventListener('abort', cancel);
        if (refusable && this.bounds.waitMs < Number.POSITIVE_INFINITY)
          timer = setTimeout(() => refuse(this.refusals.ofPartner), this.bounds.waitMs);
      });
    } finally {
      signal?.removeEventListener('abort', cancel);
      clearTimeout(timer);
    }
  }

  private reservePlace(partner: Partner): void {
    const own = this.queues.get(partner)?.length ?? 0;
    if (own >= this.bounds.waitingPerPartner) throw new AppError(this.refusals.ofPartner);
    if (this.waitingCount < this.bounds.waiting) return;
    const [longest, queue] = [...this.queues].reduce((most, each) => (each[1].length > most[1].length ? each : most));
    const newest = queue.at(-1);
    if (newest === undefined || queue.length <= own + 1) throw new AppError(this.refusals.ofQueue);
    this.remove(longest, newest);
    newest.refuse(new AppError(this.refusals.ofPartner));
  }

  private startNext(): void {
    for (const [partner, queue] of this.queues) {
      const [next] = queue;
      if (next === undefined || !this.hasPlace(partner)) continue;
      this.remove(partner, next);
      // The partner moves to the end, behind all other partners.
      if (queue.length > 0) {
        this.queues.delete(partner);
        this.queues.set(partner, queue);
      }
      this.begin(partner);
      next.start();
      return;
    }
  }

  /** @returns false when the task was not in the queue */
  private remove(partner: Partner, waiting: Waiting): boolean {
    const queue = this.queues.get(partner);
    const index = queue?.indexOf(waiting) ?? -1;
    if (queue === undefined || index < 0) return false;
    queue.splice(index, 1);
    this.waitingCount -= 1;
    if (queue.length === 0) this.queues.delete(partner);
    return true;
  }
}
