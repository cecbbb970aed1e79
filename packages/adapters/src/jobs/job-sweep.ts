import { type Clock, MINUTE_MS } from '@mailstead/core/clock';
import type { JobStore } from '@mailstead/core/jobs/job-store';
import { QUEUES, type QueueName } from '@mailstead/core/jobs/jobs';
import type { RunSchedules } from '@mailstead/core/jobs/run-schedules';
import type { JobLog } from './job-log.js';
import type { JobRunner } from './job-runner.js';
import { OneAtATime } from './one-at-a-time.js';

/** How often a process sweeps when nothing wakes it. */
const SWEEP_EVERY_MS = MINUTE_MS;

/** What a waker calls. */
export type Wakeable = Pick<JobSweep, 'wake' | 'sweep'>;

/** What wakes the sweep of this process: messages of Redis, or timers. */
export interface SweepWaker {
  /** From now on calls `wake` for a queue that may have a due job, and `sweep` from time to time. */
  start(sweep: Wakeable): void;
  /** Calls nothing more. */
  stop(): Promise<void>;
}

/**
 * Runs the jobs and schedules of a process. A sweep asks the database which queues and schedules are due and starts them: at
 * start, when woken, and once a minute, so that a lost wake-up loses no job. It waits for nothing that it starts, so that a
 * job of hours holds up no other.
 */
export class JobSweep {
  private readonly queues = new Map(QUEUES.map((queue) => [queue, new OneAtATime(() => this.startDue(queue))]));
  private readonly sweeps = new OneAtATime(() => this.startAll());
  private readonly runs = new Set<Promise<void>>();
  private timer: NodeJS.Timeout | undefined;
  private stopped = false;

  /** @param schedules null where this process runs none. */
  constructor(
    private readonly waker: SweepWaker,
    private readonly store: JobStore,
    private readonly runner: JobRunner,
    private readonly schedules: RunSchedules | null,
    private readonly clock: Clock,
    private readonly log: JobLog,
  ) {}

  start(): void {
    this.waker.start(this);
    this.timer = setInterval(() => void this.sweep(), SWEEP_EVERY_MS).unref();
    void this.sweep();
  }

  /** Starts nothing more and waits for what runs. */
  async stop(): Promise<void> {
    this.stopped = true;
    clearInterval(this.timer);
    await Promise.all([this.waker.stop(), this.runner.stop(), this.sweeps.run()]);
    await Promise.all(this.runs);
  }

  /** Starts every due job and schedule. Returns when it has looked for them; never rejects. */
  sweep(): Promise<void> {
    return this.sweeps.run();
  }

  /** Starts every due job of a queue. Returns when none is left to claim; never rejects. */
  async wake(queue: QueueName): Promise<void> {
    await this.queues.get(queue)?.run();
  }

  private startAll(): Promise<void> {
    return this.reporting(async () => {
      if (this.stopped) return;
      this.startSchedules();
      for (const queue of await this.store.dueQueues(this.clock.now())) void this.wake(queue);
    });
  }

  private startDue(queue: QueueName): Promise<void> {
    return this.reporting(async () => {
      if (!this.stopped) await this.runner.startDue(queue);
    });
  }

  private startSchedules(): void {
    const run = this.reporting(async () => {
      for (const { name, outcome } of (await this.schedules?.executeDue()) ?? []) this.log.scheduled(name, outcome);
    }).finally(() => this.runs.delete(run));
    this.runs.add(run);
  }

  /** The database is away, say: the next sweep tries again. */
  private async reporting(work: () => Promise<void>): Promise<void> {
    await work().catch((error: unknown) => this.log.stalled(error));
  }
}
