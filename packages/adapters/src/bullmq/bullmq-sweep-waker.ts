import { MINUTE_MS, SECOND_MS } from '@mailstead/core/clock';
import { QUEUES } from '@mailstead/core/jobs/jobs';
import { Queue, Worker } from 'bullmq';
import type { Redis } from 'ioredis';
import type { SweepWaker, Wakeable } from '../jobs/job-sweep.js';
import { QUEUE_PREFIX, SWEEP_QUEUE } from './queue-names.js';

/** All processes together; each also sweeps by itself once a minute. */
const SWEEP_EVERY_MS = 10 * SECOND_MS;
const UPSERT_EVERY_MS = MINUTE_MS;

/**
 * Wakes the sweep of this process by the messages of Redis: each goes to one of the processes that run jobs. While Redis is
 * away nothing wakes the sweep but its own timer.
 */
export class BullmqSweepWaker implements SweepWaker {
  private readonly connections: Redis[] = [];
  private workers: Worker[] = [];
  private sweeps: Queue | null = null;
  private upserts: NodeJS.Timeout | undefined;
  private isUpserting = false;

  /** @param connect makes a connection that waits for Redis as long as it is away. */
  constructor(private readonly connect: () => Redis) {}

  start(sweep: Wakeable): void {
    this.workers = QUEUES.map((queue) => this.consume(queue, () => sweep.wake(queue)));
    this.workers.push(this.consume(SWEEP_QUEUE, () => sweep.sweep()));
    this.scheduleSweeps();
  }

  async stop(): Promise<void> {
    clearInterval(this.upserts);
    // Not in order, which would wait for a Redis that is away: a message that is not acknowledged wakes another process.
    await Promise.allSettled([...this.workers.map((worker) => worker.close(true)), this.sweeps?.close()]);
    for (const connection of this.connections) connection.disconnect();
  }

  private consume(name: string, wake: () => Promise<void>): Worker {
    const worker = new Worker(name, wake, {
      connection: this.open(),
      prefix: QUEUE_PREFIX,
      // A process whose slots are full takes no further message, so that another one gets it.
      concurrency: 1,
      // Another worker gets the message of a worker that was killed after this; a live one renews its lock.
      lockDuration: 10 * SECOND_MS,
      stalledInterval: 5 * SECOND_MS,
    });
    worker.on('error', () => undefined);
    return worker;
  }

  /** Redis may come back empty, so the scheduler is written at each connection and once a minute. */
  private scheduleSweeps(): void {
    const connection = this.open();
    this.sweeps = new Queue(SWEEP_QUEUE, { connection, prefix: QUEUE_PREFIX });
    this.sweeps.on('error', () => undefined);
    connection.on('ready', () => void this.upsertScheduler());
    this.upserts = setInterval(() => void this.upsertScheduler(), UPSERT_EVERY_MS).unref();
  }

  /** One at a time: while Redis is away the first one waits for it. */
  private async upsertScheduler(): Promise<void> {
    if (this.isUpserting) return;
    this.isUpserting = true;
    await this.sweeps
      ?.upsertJobScheduler(
        'sweep',
        { every: SWEEP_EVERY_MS },
        { name: 'sweep', opts: { removeOnComplete: true, removeOnFail: true } },
      )
      .catch(() => undefined);
    this.isUpserting = false;
  }

  private open(): Redis {
    const connection = this.connect();
    this.connections.push(connection);
    return connection;
  }
}
