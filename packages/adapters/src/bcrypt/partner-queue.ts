import { AppError } from '@mailstead/core/errors';
import type { PartnerScope } from '@mailstead/core/partners/partner';

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
 * Runs costly tasks, partner by partner in turn: a task waits for those of its own partner, and for at most one of each
 * other partner for every one of its own. Operators (`all`) count as one partner.
 *
 * A partner with too many waiting tasks is refused (`hashing_busy`). When the whole queue is full, the newest task of the partner
 * with the most of them is refused in favour of one with fewer; only where all have as many is the queue `overloaded`.
 */
export class PartnerQueue {
  /** By partner, in the order of their turns. A partner without waiting tasks has no entry. */
  private readonly queues = new Map<PartnerScope, Waiting[]>();
  private waitingCount = 0;
  private running = 0;

  constructor(private readonly bounds: QueueBounds) {}

  /**
   * @param signal takes a task that has not begun out of the queue
   * @throws AppError hashing_busy, overloaded; request_cancelled when the signal was given
   */
  async run<T>(partner: PartnerScope, task: () => Promise<T>, signal: AbortSignal): Promise<T> {
    if (signal.aborted) throw new AppError('request_cancelled');
    if (this.running >= this.bounds.workers) await this.turn(partner, signal);
    else this.running += 1;
    try {
      return await task();
    } finally {
      this.running -= 1;
      this.startNext();
    }
  }

  /** Waits for a turn; whoever gets it is counted as running already. */
  private async turn(partner: PartnerScope, signal: AbortSignal): Promise<void> {
    this.makeRoom(partner);
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

  private makeRoom(partner: PartnerScope): void {
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
    const turn = this.queues.entries().next();
    if (turn.done === true) return;
    const [partner, queue] = turn.value;
    const [next] = queue;
    if (next === undefined) return;
    this.remove(partner, next);
    // The partner's next turn comes after everybody else's.
    if (queue.length > 0) {
      this.queues.delete(partner);
      this.queues.set(partner, queue);
    }
    this.running += 1;
    next.start();
  }

  /** @returns false when it was not waiting any more. */
  private remove(partner: PartnerScope, waiting: Waiting): boolean {
    const queue = this.queues.get(partner);
    const index = queue?.indexOf(waiting) ?? -1;
    if (queue === undefined || index < 0) return false;
    queue.splice(index, 1);
    this.waitingCount -= 1;
    if (queue.length === 0) this.queues.delete(partner);
    return true;
  }
}
