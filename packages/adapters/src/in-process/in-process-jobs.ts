import type { Clock } from '@mailstead/core/clock';
import { JobNudge } from '@mailstead/core/job-nudge';
import type { JobStore } from '@mailstead/core/job-store';
import { LANES, type Lane } from '@mailstead/core/jobs';
import type { RunSchedules } from '@mailstead/core/run-schedules';
import { Cron } from 'croner';
import type { JobLog } from './job-log.js';
import type { JobRunner } from './job-runner.js';

const SWEEP_EVERY_10_S = '*/10 * * * * *';

/** The nudges of one process, passed on to the runner that lives in it. */
export class InProcessNudge extends JobNudge {
  private listener: (lane: Lane, runAt: Date) => void = () => undefined;

  override nudge(lane: Lane, runAt: Date): void {
    this.listener(lane, runAt);
  }

  listen(listener: (lane: Lane, runAt: Date) => void): void {
    this.listener = listener;
  }
}

/** Runs jobs and schedules in the process: at once when nudged, at their time, and by a sweep every 10 s. */
export class InProcessJobs {
  private readonly draining = new Map<Lane, Promise<void>>();
  private readonly again = new Set<Lane>();
  private readonly timers = new Set<NodeJS.Timeout>();
  private readonly scheduled = new Set<Promise<void>>();
  private sweep: Cron | undefined;
  private stopped = false;

  constructor(
    private readonly store: JobStore,
    private readonly runner: JobRunner,
    private readonly schedules: RunSchedules | null,
    private readonly nudge: InProcessNudge,
    private readonly clock: Clock,
    private readonly log: JobLog,
  ) {}

  start(): void {
    this.nudge.listen((lane, runAt) => this.wakeAt(lane, runAt));
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
    for (const lane of await this.store.dueLanes(this.clock.now())) this.wake(lane);
    const next = await this.store.nextRunAt();
    if (next !== null) for (const lane of LANES) this.wakeAt(lane, next);
  }

  private async runSchedules(): Promise<void> {
    for (const { name, outcome } of (await this.schedules?.executeDue()) ?? []) this.log.scheduled(name, outcome);
  }

  /** Work that is due soon has a timer; what is further away is found by a sweep. */
  private wakeAt(lane: Lane, runAt: Date): void {
    const delayMs = runAt.getTime() - this.clock.now().getTime();
    if (delayMs <= 0) this.wake(lane);
    else if (delayMs < 15_000 && !this.stopped) {
      const timer = setTimeout(() => {
        this.timers.delete(timer);
        this.wake(lane);
      }, delayMs + 1);
      this.timers.add(timer.unref());
    }
  }

  private wake(lane: Lane): void {
    if (this.stopped) return;
    if (this.draining.has(lane)) {
      this.again.add(lane);
      return;
    }
    const drained = this.runner.drain(lane).catch((error: unknown) => this.log.stalled(error));
    this.draining.set(lane, drained);
    void drained.finally(() => {
      this.draining.delete(lane);
      if (this.again.delete(lane)) this.wake(lane);
    });
  }
}
