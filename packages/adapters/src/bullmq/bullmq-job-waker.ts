import { JobWaker } from '@mailstead/core/jobs/job-waker';
import { QUEUES, type QueueName } from '@mailstead/core/jobs/jobs';
import { Queue } from 'bullmq';
import type { Redis } from 'ioredis';
import { QUEUE_PREFIX } from './queue-names.js';

/**
 * Wakes a process that runs jobs: sends an empty BullMQ message, delayed until the job is due. `wake` does not wait
 * until the message is sent. When a message is lost, the next sweep finds the job.
 */
export class BullmqJobWaker extends JobWaker {
  private readonly queues: Map<QueueName, Queue>;
  /** The due times of the messages that `setImmediate` will send. */
  private readonly pending = new Map<QueueName, Date>();

  /** @param redis its offline queue must be off; otherwise messages collect in memory while Redis cannot be reached */
  constructor(redis: Redis) {
    super();
    this.queues = new Map(
      QUEUES.map((queue) => [queue, new Queue(queue, { connection: redis, prefix: QUEUE_PREFIX })]),
    );
    for (const queue of this.queues.values()) queue.on('error', () => undefined);
  }

  override wake(queue: QueueName, runAt: Date): void {
    const earlier = this.pending.get(queue);
    // Calls in the same turn of the event loop send one message, due at the earliest of their times.
    if (earlier === undefined) setImmediate(() => this.send(queue));
    if (earlier === undefined || runAt < earlier) this.pending.set(queue, runAt);
  }

  async close(): Promise<void> {
    await Promise.allSettled([...this.queues.values()].map((queue) => queue.close()));
  }

  /** Sets no `jobId`, because BullMQ drops a message with an id that it already has. */
  private send(queue: QueueName): void {
    const runAt = this.pending.get(queue);
    this.pending.delete(queue);
    const delay = Math.max(0, (runAt?.getTime() ?? 0) - Date.now());
    void this.queues
      .get(queue)
      ?.add('due', {}, { delay, removeOnComplete: true, removeOnFail: true })
      .catch(() => undefined);
  }
}
