import { JobWaker } from '@mailstead/core/jobs/job-waker';
import { QUEUES, type QueueName } from '@mailstead/core/jobs/jobs';
import { Queue } from 'bullmq';
import type { Redis } from 'ioredis';
import { QUEUE_PREFIX } from './queue-names.js';

/**
 * Wakes a process that runs jobs by a message without content, delayed until the job is due. Nothing waits for it to be sent:
 * a sweep makes up for a lost message.
 */
export class BullmqJobWaker extends JobWaker {
  private readonly queues: Map<QueueName, Queue>;
  /** When the message that will be sent in this turn of the event loop is due. */
  private readonly pending = new Map<QueueName, Date>();

  /** @param redis its offline queue must be off, or messages would pile up in this process while Redis is away. */
  constructor(redis: Redis) {
    super();
    this.queues = new Map(
      QUEUES.map((queue) => [queue, new Queue(queue, { connection: redis, prefix: QUEUE_PREFIX })]),
    );
    for (const queue of this.queues.values()) queue.on('error', () => undefined);
  }

  override wake(queue: QueueName, runAt: Date): void {
    const earlier = this.pending.get(queue);
    // Calls of one turn of the event loop share a message at the earliest of their times.
    if (earlier === undefined) setImmediate(() => this.send(queue));
    if (earlier === undefined || runAt < earlier) this.pending.set(queue, runAt);
  }

  async close(): Promise<void> {
    await Promise.allSettled([...this.queues.values()].map((queue) => queue.close()));
  }

  /** Without a `jobId`: BullMQ would drop a message whose id it knows already. */
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
