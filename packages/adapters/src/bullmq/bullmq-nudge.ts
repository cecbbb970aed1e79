import { JobNudge } from '@mailstead/core/job-nudge';
import { LANES, type Lane } from '@mailstead/core/jobs';
import { Queue } from 'bullmq';
import type { Redis } from 'ioredis';
import { QUEUE_PREFIX, queueName } from './queue-names.js';

/**
 * Wakes a worker by a message without content: what is due stands in the database. A message that is lost, with Redis or
 * on the way, only costs the time to the next sweep, so nothing waits for it.
 */
export class BullmqNudge extends JobNudge {
  private readonly queues: Map<Lane, Queue>;
  private readonly asked = new Map<Lane, Date>();

  constructor(redis: Redis) {
    super();
    this.queues = new Map(
      LANES.map((lane) => [lane, new Queue(queueName(lane), { connection: redis, prefix: QUEUE_PREFIX })]),
    );
    for (const queue of this.queues.values()) queue.on('error', () => undefined);
  }

  override nudge(lane: Lane, runAt: Date): void {
    const earlier = this.asked.get(lane);
    // Nudges of one turn of the event loop share a message, of the earliest time.
    if (earlier === undefined) setImmediate(() => this.send(lane));
    if (earlier === undefined || runAt < earlier) this.asked.set(lane, runAt);
  }

  async close(): Promise<void> {
    await Promise.allSettled([...this.queues.values()].map((queue) => queue.close()));
  }

  private send(lane: Lane): void {
    const runAt = this.asked.get(lane);
    this.asked.delete(lane);
    const delay = Math.max(0, (runAt?.getTime() ?? 0) - Date.now());
    void this.queues
      .get(lane)
      ?.add('due', {}, { delay, removeOnComplete: true, removeOnFail: true })
      .catch(() => undefined);
  }
}
