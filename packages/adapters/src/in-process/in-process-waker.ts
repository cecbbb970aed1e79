import { type Clock, MINUTE_MS, SECOND_MS } from '@mailstead/core/clock';
import { JobWaker } from '@mailstead/core/jobs/job-waker';
import type { QueueName } from '@mailstead/core/jobs/jobs';
import type { SweepWaker, Wakeable } from '../jobs/job-sweep.js';

const SWEEP_EVERY_MS = 10 * SECOND_MS;
/** A job that is due within this time gets a timer. Sweeps find all other jobs. */
const TIMER_WITHIN_MS = MINUTE_MS;

/** Wakes the sweep of this process with timers. Ignores wake-ups before `start` and after `stop`. */
export class InProcessWaker extends JobWaker implements SweepWaker {
  private readonly timers = new Set<NodeJS.Timeout>();
  private sweep: Wakeable | null = null;
  private sweeps: NodeJS.Timeout | undefined;

  constructor(private readonly clock: Clock) {
    super();
  }

  override wake(queue: QueueName, runAt: Date): void {
    if (this.sweep === null) return;
    const delayMs = runAt.getTime() - this.clock.now().getTime();
    if (delayMs <= 0) void this.sweep.wake(queue);
    else if (delayMs < TIMER_WITHIN_MS) this.wakeAfter(delayMs, queue);
  }

  start(sweep: Wakeable): void {
    this.sweep = sweep;
    this.sweeps = setInterval(() => void sweep.sweep(), SWEEP_EVERY_MS).unref();
  }

  async stop(): Promise<void> {
    this.sweep = null;
    clearInterval(this.sweeps);
    for (const timer of this.timers) clearTimeout(timer);
  }

  private wakeAfter(delayMs: number, queue: QueueName): void {
    const timer = setTimeout(() => {
      this.timers.delete(timer);
      void this.sweep?.wake(queue);
      // A timer may fire a millisecond early.
    }, delayMs + 1);
    this.timers.add(timer.unref());
  }
}
