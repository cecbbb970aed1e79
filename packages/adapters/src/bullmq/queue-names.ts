import type { QueueName } from '@mailstead/core/jobs/jobs';

/** The keys of our queues in Redis start with it. */
export const QUEUE_PREFIX = 'mailstead';

/** The queue that every worker sweeps by: what is due is looked up in the database every ten seconds. */
export const SWEEP_QUEUE = 'sweep';

export function queueName(queue: QueueName): string {
  return queue;
}
