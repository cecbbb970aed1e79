import { randomUUID } from 'node:crypto';
import { type Clock, MINUTE_MS, SECOND_MS } from '@mailstead/core/clock';
import { isDatabaseOutage, reasonOf } from '@mailstead/core/errors';
import type { ClaimedJob, JobStore } from '@mailstead/core/jobs/job-store';
import type { JobWaker } from '@mailstead/core/jobs/job-waker';
import {
  JOB_OPTIONS,
  type JobContext,
  type JobCounts,
  type JobHandlers,
  type QueueName,
} from '@mailstead/core/jobs/jobs';
import type { Meters } from '@mailstead/core/meters';
import type { JobLine, JobLog } from './job-log.js';
import { backoffMs, isFinalFailure } from './job-retry.js';

const LEASE_MS = MINUTE_MS;
const RENEW_EVERY_MS = LEASE_MS / 3;
/** The wait after an attempt that met a database that was away or full. */
const OUTAGE_RETRY_MS = 10 * SECOND_MS;
/** The slots of a queue: how many of its jobs run at once in one process. */
const JOBS_AT_ONCE = 4;

/**
 * Claims due jobs and runs them. The claim decides which process runs a job; its lease is renewed while the job runs, so that
 * another process takes the job over only after a crash.
 */
export class JobRunner {
  private readonly running = new Map<QueueName, Set<Promise<void>>>();
  private readonly claiming = new Set<Promise<unknown>>();
  private stopped = false;

  constructor(
    private readonly store: JobStore,
    private readonly handlers: JobHandlers,
    private readonly waker: JobWaker,
    private readonly clock: Clock,
    private readonly log: JobLog,
    private readonly meters: Meters,
  ) {}

  /**
   * Starts every due job of the queue, each as soon as a slot is free. Returns when no due job is left to claim; the last
   * ones may still run. One call at a time for each queue, or more jobs run at once than there are slots.
   *
   * @returns how many it started.
   */
  startDue(queue: QueueName): Promise<number> {
    const claiming = this.claimAll(queue).finally(() => this.claiming.delete(claiming));
    this.claiming.add(claiming);
    return claiming;
  }

  /** Waits until no job runs. */
  async idle(): Promise<void> {
    await Promise.allSettled([...this.running.values()].flatMap((jobs) => [...jobs]));
  }

  /** Claims nothing more and waits for the jobs that run. */
  async stop(): Promise<void> {
    this.stopped = true;
    await Promise.allSettled(this.claiming);
    await this.idle();
  }

  private async claimAll(queue: QueueName): Promise<number> {
    const running = this.runningIn(queue);
    let started = 0;
    while (!this.stopped) {
      if (running.size >= JOBS_AT_ONCE) {
        await Promise.race(running);
        continue;
      }
      const slots = JOBS_AT_ONCE - running.size;
      // An owner of its own for each claim: a former claim of the same process can change nothing either.
      const jobs = await this.store.claim(queue, slots, randomUUID(), this.clock.now(), LEASE_MS);
      if (jobs.length === 0) break;
      for (const job of jobs) this.start(job, running);
      started += jobs.length;
    }
    return started;
  }

  private runningIn(queue: QueueName): Set<Promise<void>> {
    const running = this.running.get(queue) ?? new Set();
    this.running.set(queue, running);
    return running;
  }

  private start(job: ClaimedJob, running: Set<Promise<void>>): void {
    const attempt = this.attempt(job).finally(() => running.delete(attempt));
    running.add(attempt);
  }

  private async attempt(job: ClaimedJob): Promise<void> {
    const started = performance.now();
    const renewal = setInterval(() => {
      void this.store.renew(job, this.after(LEASE_MS)).catch(() => undefined);
    }, RENEW_EVERY_MS);
    try {
      const counts = await this.call(job);
      await this.store.complete(job);
      this.note({ job, durationMs: performance.now() - started, counts: counts ?? {}, failure: null });
    } catch (error) {
      const outcome = await this.fail(job, error).catch(() => 'lost' as const);
      this.note({ job, durationMs: performance.now() - started, counts: {}, failure: { outcome, error } });
    } finally {
      clearInterval(renewal);
    }
  }

  private call(job: ClaimedJob): Promise<JobCounts | undefined> {
    // The table's types say that a name's handler takes that name's payload; TypeScript cannot follow that through a union.
    const handler = this.handlers[job.name] as (
      payload: unknown,
      context: JobContext,
    ) => Promise<JobCounts | undefined>;
    return handler(job.payload, { requestId: job.requestId, attempt: job.attempts + 1 });
  }

  private async fail(job: ClaimedJob, error: unknown): Promise<'retried' | 'dead'> {
    const reason = reasonOf(error);
    const failedAttempts = job.attempts + 1;
    if (isDatabaseOutage(error)) {
      const runAt = this.after(OUTAGE_RETRY_MS);
      await this.store.postpone(job, reason, runAt);
      return this.retried(job, runAt);
    }
    if (isFinalFailure(job.name, failedAttempts, error)) {
      await this.store.markDead(job, reason);
      return 'dead';
    }
    const runAt = this.after(backoffMs(job.name, failedAttempts));
    await this.store.retry(job, reason, runAt);
    return this.retried(job, runAt);
  }

  private retried({ name }: ClaimedJob, runAt: Date): 'retried' {
    this.waker.wake(JOB_OPTIONS[name].queue, runAt);
    return 'retried';
  }

  private note(line: JobLine): void {
    this.log.ran(line);
    this.meters.job(line.job.name, line.failure?.outcome ?? 'done', line.durationMs / 1_000);
  }

  private after(delayMs: number): Date {
    return new Date(this.clock.now().getTime() + delayMs);
  }
}
