import { JobWaker } from '@mailstead/core/jobs/job-waker';
import { QUEUES, type QueueName } from '@mailstead/core/jobs/jobs';
import { Queue } from 'bullmq';
import type { Redis } from 'ioredis';
import type { QueueErrors } from './queue-errors.js';
import { SENDING } from './queue-names.js';

/**
 * Wakes a process that runs jobs: sends an empty BullMQ message, delayed until the job is due. `wake` does not wait
 * until the message is sent. When a message is lost, the next sweep finds the job.
 */
export class BullmqJobWaker extends JobWaker {
  private readonly queues: ReadonlyMap<QueueName, Queue>;
  /** The due times of the messages that `setImmediate` will send. */
  private readonly pending = new Map<QueueName, Date>();

  /** @param redis its offline queue must be off; otherwise messages collect in memory while Redis cannot be reached */
  constructor(
    redis: Redis,
    private readonly errors: Pick<QueueErrors, 'report'>,
  ) {
    super();
    this.queues = new Map(
      QUEUES.map((name) => {
        const queue = new Queue(name, { connection: redis, ...SENDING });
        return [name, queue.on('error', errors.report)];
      }),
    );
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
  private send(name: QueueName): void {
    const runAt = this.pending.get(name);
    this.pending.delete(name);
    const delay = Math.max(0, (runAt?.getTime() ?? 0) - Date.now());
    const options = { delay, removeOnComplete: true, removeOnFail: true };
    this.queues.get(name)?.add('due', {}, options).catch(this.errors.report);
  }
}
