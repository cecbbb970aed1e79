import type { ClaimedJob } from '@mailstead/core/jobs/job-store';
import type { JobCounts } from '@mailstead/core/jobs/jobs';
import type { Logger } from '../logger.js';

/** One attempt at a job. */
export interface JobLine {
  job: ClaimedJob;
  durationMs: number;
  counts: JobCounts;
  /** `lost`: storing the failure failed too. The job can be claimed again when its lease ends. */
  failure: { outcome: 'retried' | 'dead' | 'lost'; error: unknown } | null;
}

/** Logs each attempt at a job and each run of a schedule. */
export abstract class JobLog {
  abstract ran(line: JobLine): void;
  abstract scheduled(name: string, outcome: string): void;
  /** A sweep could not read the due jobs, or store the outcome of a schedule. The next sweep tries again. */
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
