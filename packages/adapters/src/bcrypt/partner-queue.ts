import { AppError } from '@mailstead/core/errors';
import type { RequestOwner } from '@mailstead/core/partners/partner-scope';

export interface QueueBounds {
  /** How many tasks run at once. */
  workers: number;
  /** How many tasks of one partner may wait. */
  waitingPerPartner: number;
  /** How many tasks may wait in all. */
  waiting: number;
}

interface Waiting {
  start: () => void;
  refuse: (error: AppError) => void;
}

/**
 * Runs costly tasks round-robin over the partners: one task of each partner that has waiting tasks, then the next one
 * of each. Operators (`all`) count as one partner.
 *
 * A task is refused with `hashing_busy` when its partner has too many waiting tasks. When the whole queue is full, the
 * newest task of the partner with the longest queue is refused with `hashing_busy`, and the new task waits. The new
 * task is refused with `overloaded` when, with it, the queue of its own partner would be as long as the longest one.
 */
export class PartnerQueue {
  /** Waiting tasks by partner; the first partner is served next. A partner without waiting tasks has no entry. */
  private readonly queues = new Map<RequestOwner, Waiting[]>();
  private waitingCount = 0;
  private running = 0;

  constructor(private readonly bounds: QueueBounds) {}

  /**
   * @param signal removes a task that has not started from the queue
   * @throws AppError hashing_busy, overloaded; request_cancelled when the signal is aborted before the task starts
   */
  async run<T>(partner: RequestOwner, task: () => Promise<T>, signal: AbortSignal): Promise<T> {
    if (signal.aborted) throw new AppError('request_cancelled');
    if (this.running >= this.bounds.workers) await this.wait(partner, signal);
    else this.running += 1;
    try {
      return await task();
    } finally {
      this.running -= 1;
      this.startNext();
    }
  }

  /** Waits until a worker is free. The task is then already counted in `running`. */
  private async wait(partner: RequestOwner, signal: AbortSignal): Promise<void> {
    this.reservePlace(partner);
    let cancel: (() => void) | undefined;
    try {
      await new Promise<void>((resolve, reject) => {
        const waiting: Waiting = { start: resolve, refuse: reject };
        const queue = this.queues.get(partner) ?? [];
        this.queues.set(partner, queue);
        queue.push(waiting);
        this.waitingCount += 1;
        cancel = () => {
          if (this.remove(partner, waiting)) reject(new AppError('request_cancelled'));
        };
        signal.addEventListener('abort', cancel);
      });
    } finally {
      if (cancel !== undefined) signal.removeEventListener('abort', cancel);
    }
  }

  private reservePlace(partner: RequestOwner): void {
    const own = this.queues.get(partner)?.length ?? 0;
    if (own >= this.bounds.waitingPerPartner) throw new AppError('hashing_busy');
    if (this.waitingCount < this.bounds.waiting) return;
    const [longest, queue] = [...this.queues].reduce((most, each) => (each[1].length > most[1].length ? each : most));
    const newest = queue.at(-1);
    if (newest === undefined || queue.length <= own + 1) throw new AppError('overloaded');
    this.remove(longest, newest);
    newest.refuse(new AppError('hashing_busy'));
  }

  private startNext(): void {
    const first = this.queues.entries().next();
    if (first.done === true) return;
    const [partner, queue] = first.value;
    const [next] = queue;
    if (next === undefined) return;
    this.remove(partner, next);
    // The partner moves to the end, behind all other partners.
    if (queue.length > 0) {
      this.queues.delete(partner);
      this.queues.set(partner, queue);
    }
    this.running += 1;
    next.start();
  }

  /** @returns false when the task was not in the queue */
  private remove(partner: RequestOwner, waiting: Waiting): boolean {
    const queue = this.queues.get(partner);
    const index = queue?.indexOf(waiting) ?? -1;
    if (queue === undefined || index < 0) return false;
    queue.splice(index, 1);
    this.waitingCount -= 1;
    if (queue.length === 0) this.queues.delete(partner);
    return true;
  }
}
