import type { Clock } from '@mailstead/core/clock';
import type { JobStore } from '@mailstead/core/jobs/job-store';
import { JobWaker } from '@mailstead/core/jobs/job-waker';
import { QUEUES, type QueueName } from '@mailstead/core/jobs/jobs';
import type { RunSchedules } from '@mailstead/core/jobs/run-schedules';
import { Cron } from 'croner';
import type { JobLog } from '../jobs/job-log.js';
import type { JobRunner } from '../jobs/job-runner.js';

const SWEEP_EVERY_10_S = '*/10 * * * * *';

/** The wakes of one process, passed on to the runner that lives in it. */
export class InProcessWaker extends JobWaker {
  private listener: (queue: QueueName, runAt: Date) => void = () => undefined;

  override wake(queue: QueueName, runAt: Date): void {
    this.listener(queue, runAt);
  }

  listen(listener: (queue: QueueName, runAt: Date) => void): void {
    this.listener = listener;
  }
}

/** Runs jobs and schedules in the process: at once when woken, at their time, and by a sweep every 10 s. */
export class InProcessJobs {
  private readonly draining = new Map<QueueName, Promise<void>>();
  private readonly again = new Set<QueueName>();
  private readonly timers = new Set<NodeJS.Timeout>();
  private readonly scheduled = new Set<Promise<void>>();
  private sweep: Cron | undefined;
  private stopped = false;

  constructor(
    private readonly store: JobStore,
    private readonly runner: JobRunner,
    private readonly schedules: RunSchedules | null,
    private readonly waker: InProcessWaker,
    private readonly clock: Clock,
    private readonly log: JobLog,
  ) {}

  start(): void {
    this.waker.listen((queue, runAt) => this.wakeAt(queue, runAt));
    this.sweep = new Cron(
      SWEEP_EVERY_10_S,
      { protect: true, unref: true, catch: (error: unknown) => this.log.stalled(error) },
      () => this.tick(),
    );
    void this.tick().catch((error: unknown) => this.log.stalled(error));
  }

  /** Takes nothing new and waits for what runs. */
  async stop(): Promise<void> {
    this.stopped = true;
    this.sweep?.stop();
    for (const timer of this.timers) clearTimeout(timer);
    await this.runner.stop();
    await Promise.allSettled([...this.draining.values(), ...this.scheduled]);
  }

  /** Starts what is due and waits for none of it: a purge that takes hours must not keep the next sweep from the rest. */
  private async tick(): Promise<void> {
    const run = this.runSchedules()
      .catch((error: unknown) => this.log.stalled(error))
      .finally(() => this.scheduled.delete(run));
    this.scheduled.add(run);
    for (const queue of await this.store.dueQueues(this.clock.now())) this.wake(queue);
    const next = await this.store.nextRunAt();
    if (next !== null) for (const queue of QUEUES) this.wakeAt(queue, next);
  }

  private async runSchedules(): Promise<void> {
    for (const { name, outcome } of (await this.schedules?.executeDue()) ?? []) this.log.scheduled(name, outcome);
  }

  /** Work that is due soon has a timer; what is further away is found by a sweep. */
  private wakeAt(queue: QueueName, runAt: Date): void {
    const delayMs = runAt.getTime() - this.clock.now().getTime();
    if (delayMs <= 0) this.wake(queue);
    else if (delayMs < 15_000 && !this.stopped) {
      const timer = setTimeout(() => {
        this.timers.delete(timer);
        this.wake(queue);
      }, delayMs + 1);
      this.timers.add(timer.unref());
    }
  }

  private wake(queue: QueueName): void {
    if (this.stopped) return;
    if (this.draining.has(queue)) {
      this.again.add(queue);
      return;
    }
    const drained = this.runner.drain(queue).catch((error: unknown) => this.log.stalled(error));
    this.draining.set(queue, drained);
    void drained.finally(() => {
      this.draining.delete(queue);
      if (this.again.delete(queue)) this.wake(queue);
    });
  }
}
