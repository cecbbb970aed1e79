import type { ClaimedJob } from '@mailstead/core/jobs/job-store';
import type { JobCounts } from '@mailstead/core/jobs/jobs';
import type { Logger } from '../logger.js';

/** One attempt at a job. */
export interface JobLine {
  job: ClaimedJob;
  durationMs: number;
  counts: JobCounts;
  /** `lost`: the failure could not be stored either; the job may be claimed again when its lease ends. */
  failure: { outcome: 'retried' | 'dead' | 'lost'; error: unknown } | null;
}

/** One line for each attempt at a job and for each run of a schedule. */
export abstract class JobLog {
  abstract ran(line: JobLine): void;
  abstract scheduled(name: string, outcome: string): void;
  /** A sweep could not look for what is due, or store what became of a schedule; the next one tries again. */
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
