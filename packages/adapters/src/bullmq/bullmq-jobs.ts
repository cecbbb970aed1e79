import { type Clock, SECOND_MS } from '@mailstead/core/clock';
import type { JobStore } from '@mailstead/core/jobs/job-store';
import { QUEUES, type QueueName } from '@mailstead/core/jobs/jobs';
import type { RunSchedules } from '@mailstead/core/jobs/run-schedules';
import { Queue, Worker } from 'bullmq';
import type { Redis } from 'ioredis';
import type { JobLog } from '../jobs/job-log.js';
import type { JobRunner } from '../jobs/job-runner.js';
import { QUEUE_PREFIX, queueName, SWEEP_QUEUE } from './queue-names.js';

const SWEEP_EVERY_MS = 10 * SECOND_MS;

/**
 * The consuming side of the queues: a message wakes a queue, the sweep wakes whatever is due and runs the schedules. Which
 * process runs a job, and that it is one only, is decided by the claim in the database.
 */
export class BullmqJobs {
  private readonly workers: Worker[] = [];
  private readonly sweeping = new Map<QueueName, Promise<void>>();
  private readonly scheduled = new Set<Promise<void>>();
  private readonly sweeps: Queue;
  private upserts: NodeJS.Timeout | undefined;

  constructor(
    private readonly redis: Redis,
    private readonly store: JobStore,
    private readonly runner: JobRunner,
    private readonly schedules: RunSchedules | null,
    private readonly clock: Clock,
    private readonly log: JobLog,
  ) {
    this.sweeps = new Queue(SWEEP_QUEUE, { connection: redis, prefix: QUEUE_PREFIX });
    this.sweeps.on('error', () => undefined);
  }

  start(): void {
    for (const queue of QUEUES) this.consume(queueName(queue), () => this.runner.drain(queue));
    this.consume(SWEEP_QUEUE, () => this.sweep());
    // Redis may come back empty: the schedule of the sweep is written again and again.
    this.upserts = setInterval(() => this.upsertSweep(), SWEEP_EVERY_MS).unref();
    this.upsertSweep();
  }

  /** Takes nothing new and waits for what runs. */
  async stop(): Promise<void> {
    clearInterval(this.upserts);
    await this.runner.stop();
    await Promise.allSettled(this.workers.map((worker) => worker.close()));
    await Promise.allSettled([...this.sweeping.values(), ...this.scheduled]);
    await this.sweeps.close().catch(() => undefined);
  }

  private consume(name: string, work: () => Promise<void>): void {
    const worker = new Worker(name, () => work(), {
      connection: this.redis.duplicate(),
      prefix: QUEUE_PREFIX,
      concurrency: 1,
      // A message of a worker that was killed is another's soon; who lives renews its lock.
      lockDuration: 10 * SECOND_MS,
      stalledInterval: 5 * SECOND_MS,
    });
    worker.on('error', () => undefined);
    worker.on('failed', (_, error) => this.log.stalled(error));
    this.workers.push(worker);
  }

  /** Starts what is due and waits for none of it: a purge that takes hours must not keep the next sweep from the rest. */
  private async sweep(): Promise<void> {
    const run = this.runSchedules()
      .catch((error: unknown) => this.log.stalled(error))
      .finally(() => this.scheduled.delete(run));
    this.scheduled.add(run);
    for (const queue of await this.store.dueQueues(this.clock.now())) {
      if (this.sweeping.has(queue)) continue;
      const drained = this.runner
        .drain(queue)
        .catch((error: unknown) => this.log.stalled(error))
        .finally(() => this.sweeping.delete(queue));
      this.sweeping.set(queue, drained);
    }
  }

  private async runSchedules(): Promise<void> {
    for (const { name, outcome } of (await this.schedules?.executeDue()) ?? []) this.log.scheduled(name, outcome);
  }

  private upsertSweep(): void {
    void this.sweeps
      .upsertJobScheduler(
        'sweep',
        { every: SWEEP_EVERY_MS },
        { name: 'sweep', opts: { removeOnComplete: true, removeOnFail: true } },
      )
      .catch(() => undefined);
  }
}
