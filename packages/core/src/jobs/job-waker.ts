import type { QueueName } from './jobs.js';

/**
 * Wakes a process that runs the jobs of a queue, at the time a job is due. A wake-up may be lost: each such process also looks
 * for due jobs at least once a minute.
 */
export abstract class JobWaker {
  abstract wake(queue: QueueName, runAt: Date): void;
}
