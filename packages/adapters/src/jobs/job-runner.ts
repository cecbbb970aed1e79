import { randomUUID } from 'node:crypto';
import { type Clock, HOUR_MS, MINUTE_MS, SECOND_MS } from '@mailstead/core/clock';
import { AppError, type ErrorKind, isDatabaseOutage, reasonOf } from '@mailstead/core/errors';
import type { ClaimedJob, JobStore } from '@mailstead/core/jobs/job-store';
import { JOB_OPTIONS, type JobCounts, type JobHandlers, type QueueName } from '@mailstead/core/jobs/jobs';
import type { Meters } from '@mailstead/core/meters';
import fastq from 'fastq';
import type { JobLine, JobLog } from './job-log.js';

const LEASE_MS = MINUTE_MS;
const RENEW_EVERY_MS = LEASE_MS / 3;
const MAX_RETRY_MS = HOUR_MS;
/** The wait after an attempt that met a database that was away or full. */
const OUTAGE_RETRY_MS = 10 * SECOND_MS;
/** How many jobs of one queue run at once in one process. */
const JOBS_AT_ONCE = 4;

/** Whether a failed job may succeed when it runs again. What the caller did wrong stays wrong. */
const RETRIED: Record<ErrorKind, boolean> = {
  malformed: false,
  invalid: false,
  unauthenticated: false,
  forbidden: false,
  over_quota: false,
  not_found: false,
  duplicate: false,
  method_not_allowed: false,
  too_large: false,
  unsupported_media_type: false,
  in_progress: true,
  too_many: true,
  unavailable: true,
  internal: true,
};

/**
 * Claims due jobs and runs them, whoever woke it: a waker in the process, a message of a queue, a sweep. Each job is one
 * runner's at a time; its lease is prolonged while it runs, and a crash gives it back.
 */
export class JobRunner {
  private readonly owner = randomUUID();
  private readonly running = new Set<Promise<void>>();
  private stopped = false;

  constructor(
    private readonly store: JobStore,
    private readonly handlers: JobHandlers,
    private readonly clock: Clock,
    private readonly log: JobLog,
    private readonly meters: Meters,
  ) {}

  /** Runs everything of the queue that is due now. Returns when nothing is left to claim and all of it has ended. */
  async drain(queue: QueueName): Promise<void> {
    const attempts = fastq.promise((job: ClaimedJob) => this.run(job), JOBS_AT_ONCE);
    while (!this.stopped) {
      const jobs = await this.store.claim(queue, JOBS_AT_ONCE, this.owner, this.clock.now(), LEASE_MS);
      if (jobs.length === 0) break;
      await Promise.all(jobs.map((job) => attempts.push(job)));
    }
  }

  /** Takes nothing new and waits for what runs. */
  async stop(): Promise<void> {
    this.stopped = true;
    await Promise.allSettled(this.running);
  }

  private async run(job: ClaimedJob): Promise<void> {
    const attempt = this.attempt(job);
    this.running.add(attempt);
    await attempt.finally(() => this.running.delete(attempt));
  }

  private async attempt(job: ClaimedJob): Promise<void> {
    const started = performance.now();
    const renewal = setInterval(() => {
      void this.store.renew(job.id, this.owner, new Date(this.clock.now().getTime() + LEASE_MS)).catch(() => undefined);
    }, RENEW_EVERY_MS);
    try {
      const counts = await this.call(job);
      await this.store.complete(job.id, this.owner);
      this.ran({ job, durationMs: performance.now() - started, counts: counts ?? {}, failure: null });
    } catch (error) {
      const outcome = await this.fail(job, error).catch(() => 'lost' as const);
      this.ran({ job, durationMs: performance.now() - started, counts: {}, failure: { outcome, error } });
    } finally {
      clearInterval(renewal);
    }
  }

  private ran(line: JobLine): void {
    this.log.ran(line);
    this.meters.job(line.job.name, line.failure?.outcome ?? 'done', line.durationMs / 1_000);
  }

  private call(job: ClaimedJob): Promise<JobCounts | undefined> {
    // The table's types say that a name's handler takes that name's payload; TypeScript cannot follow that through a union.
    const handler = this.handlers[job.name] as (
      payload: unknown,
      context: { requestId: string | null; attempt: number },
    ) => Promise<JobCounts | undefined>;
    return handler(job.payload, { requestId: job.requestId, attempt: job.attempts + 1 });
  }

  private async fail(job: ClaimedJob, error: unknown): Promise<'retried' | 'dead'> {
    const { maxAttempts, firstRetryMs } = JOB_OPTIONS[job.name];
    const reason = reasonOf(error);
    if (isDatabaseOutage(error)) {
      await this.store.postpone(job.id, this.owner, reason, new Date(this.clock.now().getTime() + OUTAGE_RETRY_MS));
      return 'retried';
    }
    const final = error instanceof AppError && !RETRIED[error.kind];
    if (final || job.attempts + 1 >= maxAttempts) {
      await this.store.markDead(job.id, this.owner, reason);
      return 'dead';
    }
    const delayMs = Math.min(MAX_RETRY_MS, firstRetryMs * 2 ** job.attempts) * (0.75 + Math.random() / 2);
    await this.store.retry(job.id, this.owner, reason, new Date(this.clock.now().getTime() + delayMs));
    return 'retried';
  }
}
