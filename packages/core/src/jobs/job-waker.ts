import type { QueueName } from './jobs.js';

/**
 * Wakes a process that runs the jobs of a queue, at the time when a job is due. A wake-up can be lost; each such
 * process therefore also looks for due jobs at least once a minute.
 */
export abstract class JobWaker {
  abstract wake(queue: QueueName, runAt: Date): void;
}
