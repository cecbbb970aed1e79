import { MINUTE_MS, SECOND_MS } from '@mailstead/core/clock';
import { QUEUES } from '@mailstead/core/jobs/jobs';
import { Queue, Worker } from 'bullmq';
import type { Redis } from 'ioredis';
import type { SweepWaker, Wakeable } from '../jobs/job-sweep.js';
import { QUEUE_PREFIX, SWEEP_QUEUE } from './queue-names.js';
import type { QueueWatch } from './queue-watch.js';

/**
 * Interval of the sweeps that Redis starts, for all processes together. Each process also has its own timer of one
 * minute.
 */
const SWEEP_EVERY_MS = 10 * SECOND_MS;
const UPSERT_EVERY_MS = MINUTE_MS;

/**
 * Wakes the sweep of this process when a BullMQ message arrives. Each message goes to one of the processes that run
 * jobs. While Redis cannot be reached or written to, `QueueWatch` starts sweeps.
 */
export class BullmqSweepWaker implements SweepWaker {
  private readonly connections: Redis[] = [];
  private workers: Worker[] = [];
  private sweeps: Queue | null = null;
  private upserts: NodeJS.Timeout | undefined;
  private isUpserting = false;

  /** @param connect opens a connection whose commands wait until Redis can be reached */
  constructor(
    private readonly connect: () => Redis,
    private readonly watch: Pick<QueueWatch, 'start' | 'stop'>,
  ) {}

  start(sweep: Wakeable): void {
    this.workers = QUEUES.map((queue) => this.consume(queue, () => sweep.wake(queue)));
    this.workers.push(this.consume(SWEEP_QUEUE, () => sweep.sweep()));
    this.scheduleSweeps();
    this.watch.start(() => void sweep.sweep());
  }

  async stop(): Promise<void> {
    clearInterval(this.upserts);
    this.watch.stop();
    // A forced close, because a graceful one waits for Redis. A message that is not acknowledged goes to another
    // process.
    await Promise.allSettled([...this.workers.map((worker) => worker.close(true)), this.sweeps?.close()]);
    for (const connection of this.connections) connection.disconnect();
  }

  private consume(name: string, wake: () => Promise<void>): Worker {
    const worker = new Worker(name, wake, {
      connection: this.open(),
      prefix: QUEUE_PREFIX,
      // A process that has no free job slot takes no further message, so another process gets it.
      concurrency: 1,
      // When a worker is killed, its message goes to another worker after this time. A running worker renews its lock.
      lockDuration: 10 * SECOND_MS,
      stalledInterval: 5 * SECOND_MS,
    });
    worker.on('error', () => undefined);
    return worker;
  }

  /** Redis may lose its data, so the job scheduler is written again after each connection and once a minute. */
  private scheduleSweeps(): void {
    const connection = this.open();
    this.sweeps = new Queue(SWEEP_QUEUE, { connection, prefix: QUEUE_PREFIX });
    this.sweeps.on('error', () => undefined);
    connection.on('ready', () => void this.upsertScheduler());
    this.upserts = setInterval(() => void this.upsertScheduler(), UPSERT_EVERY_MS).unref();
  }

  /** Returns at once when a former call still runs: while Redis cannot be reached, that call waits for it. */
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
