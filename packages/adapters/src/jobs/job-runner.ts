import { randomUUID } from 'node:crypto';
import { Clock, MINUTE_MS, SECOND_MS } from '@mailstead/core/clock';
import { isDatabaseOutage, reasonOf } from '@mailstead/core/errors';
import { JobGate } from '@mailstead/core/jobs/job-gate';
import { type ClaimedJob, JobStore } from '@mailstead/core/jobs/job-store';
import { JobWaker } from '@mailstead/core/jobs/job-waker';
import {
  JOB_OPTIONS,
  type JobContext,
  type JobCounts,
  type JobHandlers,
  type QueueName,
} from '@mailstead/core/jobs/jobs';
import { Meters } from '@mailstead/core/meters';
import { needs } from '@mailstead/core/needs';
import { traced } from '@mailstead/core/trace';
import { hasFailures, type JobLine, JobLog } from './job-log.js';
import { backoffMs, isFinalFailure } from './job-retry.js';
import { JobTable } from './job-table.js';

const LEASE_MS = MINUTE_MS;
const RENEW_EVERY_MS = LEASE_MS / 3;
/** The wait after an attempt that failed because the database could not be reached or its disk was full. */
const OUTAGE_RETRY_MS = 10 * SECOND_MS;
/** The most jobs of one queue that run at once in one process. */
const JOBS_AT_ONCE = 4;

/**
 * Claims due jobs and runs them. Only the process that claims a job runs it. The lease of the claim is renewed while
 * the job runs, so another process claims the job again only after a crash.
 */
@needs(JobStore, JobTable, JobWaker, Clock, JobLog, Meters, JobGate)
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
    private readonly gate: JobGate,
  ) {}

  /**
   * Starts all due jobs of the queue, each as soon as fewer than 4 jobs of the queue run. Resolves when no due job is
   * left to claim, or the gate is closed; the last jobs may still run. Callers must not call it twice at once for one
   * queue, or more than 4 jobs run at once.
   *
   * @returns the number of jobs started
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

  /** Stops claiming jobs, and waits for the running jobs. */
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
      if ((await this.gate.enter()) === null) break;
      const slots = JOBS_AT_ONCE - running.size;
      // A new owner id for each claim, so that an expired claim of this process cannot change the job either.
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
    const attempt = traced(job.traceId, () => this.attempt(job)).finally(() => running.delete(attempt));
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
      this.report({ job, durationMs: performance.now() - started, counts: counts ?? {}, failure: null });
    } catch (error) {
      const outcome = await this.fail(job, error).catch(() => 'lost' as const);
      this.report({ job, durationMs: performance.now() - started, counts: {}, failure: { outcome, error } });
    } finally {
      clearInterval(renewal);
    }
  }

  private call(job: ClaimedJob): Promise<JobCounts | undefined> {
    // `JobHandlers` gives each handler the payload type of its job. TypeScript cannot check that for a union of names.
    const handler = this.handlers[job.name] as (
      payload: unknown,
      context: JobContext,
    ) => Promise<JobCounts | undefined>;
    return handler(job.payload, { jobId: job.id, requestId: job.requestId, attempt: job.attempts + 1 });
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

  private report(line: JobLine): void {
    this.log.ran(line);
    const outcome = line.failure?.outcome ?? (hasFailures(line.counts) ? 'failed' : 'done');
    this.meters.job(line.job.name, outcome, line.durationMs / 1_000);
  }

  private after(delayMs: number): Date {
    return new Date(this.clock.now().getTime() + delayMs);
  }
}
