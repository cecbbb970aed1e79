import type { ClaimedJob } from '@mailstead/core/jobs/job-store';
import type { JobCounts } from '@mailstead/core/jobs/jobs';
import type { Logger } from '../logger.js';

/** One attempt at a job. */
export interface JobLine {
  job: ClaimedJob;
  durationMs: number;
  counts: JobCounts;
  /** `lost`: not even the failure could be noted; the lease will run out. */
  failure: { outcome: 'retried' | 'dead' | 'lost'; error: unknown } | null;
}

/** One line for each attempt, and one for each run of a schedule. */
export abstract class JobLog {
  abstract ran(line: JobLine): void;
  abstract scheduled(name: string, outcome: string): void;
  /** The runner itself could not look for work; it will look again. */
  abstract stalled(error: unknown): void;
}

export class LoggedJobs extends JobLog {
  constructor(private readonly logger: Logger) {
    super();
  }

  override ran({ job, durationMs, counts, failure }: JobLine): void {
    const line = {
      job: job.name,
      id: job.id,
      attempt: job.attempts + 1,
      duration_ms: Math.round(durationMs),
      request_id: job.requestId,
    };
    if (failure === null) this.logger.info('job', { ...line, ...counts });
    else this.logger.warn('job failed', { ...line, outcome: failure.outcome, reason: String(failure.error) });
  }

  override scheduled(name: string, outcome: string): void {
    this.logger.log(outcome === 'failed' ? 'warn' : 'info', 'schedule', { name, outcome });
  }

  override stalled(error: unknown): void {
    this.logger.warn('jobs stalled', { reason: String(error) });
  }
}
