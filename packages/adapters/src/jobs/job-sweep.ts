import { type Clock, MINUTE_MS } from '@mailstead/core/clock';
import type { JobStore } from '@mailstead/core/jobs/job-store';
import { QUEUES, type QueueName } from '@mailstead/core/jobs/jobs';
import type { RunSchedules } from '@mailstead/core/jobs/run-schedules';
import { traced } from '@mailstead/core/trace';
import type { JobLog } from './job-log.js';
import type { JobRunner } from './job-runner.js';
import { OneAtATime } from './one-at-a-time.js';

/** The interval of the timer that starts a sweep in each process. */
const SWEEP_EVERY_MS = MINUTE_MS;

/** The methods that a waker calls. */
export type Wakeable = Pick<JobSweep, 'wake' | 'sweep'>;

/** Wakes the sweep of this process, by BullMQ messages or by timers. */
export interface SweepWaker {
  /** Starts to call `wake` when a queue may have a due job, and `sweep` every few seconds. */
  start(sweep: Wakeable): void;
  /** Stops the calls. */
  stop(): Promise<void>;
}

/**
 * Runs the jobs and schedules of a process. A sweep reads from the database which queues and schedules are due, and
 * starts them. Sweeps run at start, at each wake-up and once a minute, so a lost wake-up only delays a job. A sweep
 * does not wait for the jobs and schedules that it starts, so a job that takes hours does not delay the others.
 */
export class JobSweep {
  private readonly queues = new Map(QUEUES.map((queue) => [queue, new OneAtATime(() => this.startDue(queue))]));
  private readonly sweeps = new OneAtATime(() => this.startAll());
  private readonly runs = new Set<Promise<void>>();
  private timer: NodeJS.Timeout | undefined;
  private stopped = false;

  /** @param schedules null when this process runs no schedules */
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

  /** Starts no further jobs and schedules, and waits for the running ones. */
  async stop(): Promise<void> {
    this.stopped = true;
    clearInterval(this.timer);
    await Promise.all([this.waker.stop(), this.runner.stop(), this.sweeps.run()]);
    await Promise.all(this.runs);
  }

  /** Starts all due jobs and schedules. Resolves when it has read which are due. Never rejects. */
  sweep(): Promise<void> {
    return this.sweeps.run();
  }

  /** Starts all due jobs of a queue. Resolves when no due job is left to claim. Never rejects. */
  async wake(queue: QueueName): Promise<void> {
    await this.queues.get(queue)?.run();
  }

  private startAll(): Promise<void> {
    return this.logErrors(async () => {
      if (this.stopped) return;
      this.startSchedules();
      for (const queue of await this.store.dueQueues(this.clock.now())) void this.wake(queue);
    });
  }

  private startDue(queue: QueueName): Promise<void> {
    return this.logErrors(async () => {
      if (!this.stopped) await this.runner.startDue(queue);
    });
  }

  private startSchedules(): void {
    const run = this.logErrors(async () => {
      for (const run of (await this.schedules?.executeDue()) ?? []) this.log.scheduled(run);
    }).finally(() => this.runs.delete(run));
    this.runs.add(run);
  }

  /**
   * Logs an error, for example when the database cannot be reached. The next sweep tries again. The work has no trace,
   * because a request that wakes a queue is not the reason of all its jobs.
   */
  private logErrors(work: () => Promise<void>): Promise<void> {
    return traced(null, () => work().catch((error: unknown) => this.log.stalled(error)));
  }
}
