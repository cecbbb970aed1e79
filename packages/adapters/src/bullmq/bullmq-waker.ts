import { JobWaker } from '@mailstead/core/jobs/job-waker';
import { QUEUES, type QueueName } from '@mailstead/core/jobs/jobs';
import { Queue } from 'bullmq';
import type { Redis } from 'ioredis';
import { QUEUE_PREFIX, queueName } from './queue-names.js';

/**
 * Wakes a worker by a message without content: what is due stands in the database. A message that is lost, with Redis or
 * on the way, only costs the time to the next sweep, so nothing waits for it.
 */
export class BullmqWaker extends JobWaker {
  private readonly queues: Map<QueueName, Queue>;
  private readonly asked = new Map<QueueName, Date>();

  constructor(redis: Redis) {
    super();
    this.queues = new Map(
      QUEUES.map((queue) => [queue, new Queue(queueName(queue), { connection: redis, prefix: QUEUE_PREFIX })]),
    );
    for (const queue of this.queues.values()) queue.on('error', () => undefined);
  }

  override wake(queue: QueueName, runAt: Date): void {
    const earlier = this.asked.get(queue);
    // Wakes of one turn of the event loop share a message, of the earliest time.
    if (earlier === undefined) setImmediate(() => this.send(queue));
    if (earlier === undefined || runAt < earlier) this.asked.set(queue, runAt);
  }

  async close(): Promise<void> {
    await Promise.allSettled([...this.queues.values()].map((queue) => queue.close()));
  }

  private send(queue: QueueName): void {
    const runAt = this.asked.get(queue);
    this.asked.delete(queue);
    const delay = Math.max(0, (runAt?.getTime() ?? 0) - Date.now());
    void this.queues
      .get(queue)
      ?.add('due', {}, { delay, removeOnComplete: true, removeOnFail: true })
      .catch(() => undefined);
  }
}
