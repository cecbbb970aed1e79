import { JobWaker } from '../jobs/job-waker.js';
import type { QueueName } from '../jobs/jobs.js';

/** Wakes no process; it stores the wake-ups for the test. */
export class SilentWaker extends JobWaker {
  readonly wakes: { queue: QueueName; runAt: Date }[] = [];

  override wake(queue: QueueName, runAt: Date): void {
    this.wakes.push({ queue, runAt });
  }
}
