import type { QueueName } from './jobs.js';

/** Tells whoever runs a queue that something is due, or will be. A hint: lost ones are made up for by the sweep. */
export abstract class JobWaker {
  abstract wake(queue: QueueName, runAt: Date): void;
}
