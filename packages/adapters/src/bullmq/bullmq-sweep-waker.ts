import { MINUTE_MS, SECOND_MS } from '@mailstead/core/clock';
import { QUEUES } from '@mailstead/core/jobs/jobs';
import { Queue } from 'bullmq';
import type { Redis } from 'ioredis';
import type { SweepWaker, Wakeable } from '../jobs/job-sweep.js';
import { QueueConsumer } from './queue-consumer.js';
import type { QueueErrors } from './queue-errors.js';
import { SENDING, SWEEP_QUEUE } from './queue-names.js';
import type { QueueWatch } from './queue-watch.js';

/**
 * Interval of the sweeps that Redis starts, for all processes together. Each process also has its own timer of one
 * minute.
 */
const SWEEP_EVERY_MS = 10 * SECOND_MS;
const UPSERT_EVERY_MS = MINUTE_MS;

/**
 * Wakes the sweep of this process when a BullMQ message arrives. Each message goes to one of the processes that run
 * jobs. While Redis cannot be reached, or refuses what the queue needs, `QueueWatch` starts sweeps.
 */
export class BullmqSweepWaker implements SweepWaker {
  private consumers: QueueConsumer[] = [];
  private scheduling: { connection: Redis; sweeps: Queue } | null = null;
  private upserts: NodeJS.Timeout | undefined;
  private isUpserting = false;

  /** @param connect opens a connection whose commands wait until Redis can be reached */
  constructor(
    private readonly connect: () => Redis,
    private readonly watch: Pick<QueueWatch, 'start' | 'stop'>,
    private readonly errors: Pick<QueueErrors, 'report'>,
  ) {}

  start(sweep: Wakeable): void {
    const consume = (name: string, wake: () => Promise<void>) =>
      new QueueConsumer(name, wake, this.connect, this.errors);
    this.consumers = QUEUES.map((queue) => consume(queue, () => sweep.wake(queue)));
    this.consumers.push(consume(SWEEP_QUEUE, () => sweep.sweep()));
    for (const consumer of this.consumers) consumer.start();
    this.scheduleSweeps();
    this.watch.start(() => void sweep.sweep());
  }

  async stop(): Promise<void> {
    clearInterval(this.upserts);
    this.watch.stop();
    await Promise.all(this.consumers.map((consumer) => consumer.stop()));
    await this.scheduling?.sweeps.close().catch(this.errors.report);
    this.scheduling?.connection.disconnect();
  }

  /** Redis may lose its data, so the job scheduler is written again after each connection and once a minute. */
  private scheduleSweeps(): void {
    const connection = this.connect();
    const sweeps = new Queue(SWEEP_QUEUE, { connection, ...SENDING });
    sweeps.on('error', this.errors.report);
    this.scheduling = { connection, sweeps };
    connection.on('ready', () => void this.upsertScheduler(sweeps));
    this.upserts = setInterval(() => void this.upsertScheduler(sweeps), UPSERT_EVERY_MS).unref();
  }

  /** Returns at once when a former call still runs: while Redis cannot be reached, that call waits for it. */
  private async upsertScheduler(sweeps: Queue): Promise<void> {
    if (this.isUpserting) return;
    this.isUpserting = true;
    await sweeps
      .upsertJobScheduler(
        'sweep',
        { every: SWEEP_EVERY_MS },
        { name: 'sweep', opts: { removeOnComplete: true, removeOnFail: true } },
      )
      .catch(this.errors.report);
    this.isUpserting = false;
  }
}
