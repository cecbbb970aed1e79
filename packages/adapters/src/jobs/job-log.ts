import type { ClaimedJob } from '@mailstead/core/jobs/job-store';
import type { JobCounts } from '@mailstead/core/jobs/jobs';
import type { ScheduleOutcome } from '@mailstead/core/jobs/run-schedules';
import { DeliveryLog, type FailedDelivery } from '@mailstead/core/notifications/delivery-log';
import type { Logger } from '../logger.js';

/** One attempt at a job. */
export interface JobLine {
  job: ClaimedJob;
  durationMs: number;
  counts: JobCounts;
  /** `lost`: storing the failure failed too. The job can be claimed again when its lease ends. */
  failure: { outcome: 'retried' | 'dead' | 'lost'; error: unknown } | null;
}

/** Logs each attempt at a job, each run of a schedule, and each notification that could not be delivered. */
export abstract class JobLog extends DeliveryLog {
  abstract ran(line: JobLine): void;
  abstract scheduled(run: ScheduleOutcome): void;
  /** A sweep could not read the due jobs, or store the outcome of a schedule. The next sweep tries again. */
  abstract stalled(error: unknown): void;
  /** @param wrong why jobs and schedules of this process wait from now on; null when they go on */
  abstract clock(wrong: string | null): void;
  /** Rows of a table with copies were wrong and were corrected: for each row the id of its domain. */
  abstract copiesCorrected(table: string, domainIds: readonly number[]): void;
}

export class LoggedJobs extends JobLog {
  constructor(private readonly logger: Logger) {
    super();
  }

  override ran({ job, durationMs, counts, failure }: JobLine): void {
    const line = {
      job: job.name,
      ...(job.name === 'schedule.run' ? { schedule: job.payload.name } : {}),
      id: job.id,
      attempt: job.attempts + 1,
      duration_ms: Math.round(durationMs),
      request_id: job.requestId,
    };
    if (failure === null) this.logger.log(hasFailures(counts) ? 'warn' : 'info', 'job', { ...line, ...counts });
    else this.logger.warn('job failed', { ...line, outcome: failure.outcome, reason: String(failure.error) });
  }

  override scheduled({ name, outcome, reason, counts }: ScheduleOutcome): void {
    if (outcome === 'failed') this.logger.warn('schedule', { name, outcome, reason });
    else this.logger.log(hasFailures(counts) ? 'warn' : 'info', 'schedule', { name, outcome, ...counts });
  }

  override undelivered({ id, type, channel, reason, attempts, nextAttemptAt }: FailedDelivery): void {
    this.logger.warn('notification not delivered', {
      notification: id,
      type,
      channel,
      attempts,
      reason,
      next_attempt_at: nextAttemptAt?.toISOString() ?? null,
    });
  }

  override stalled(error: unknown): void {
    this.logger.warn('jobs stalled', { reason: String(error) });
  }

  override clock(wrong: string | null): void {
    if (wrong === null) this.logger.info('jobs and schedules go on: the clock is right');
    else this.logger.warn('jobs and schedules wait: the clock is wrong', { reason: wrong });
  }

  override copiesCorrected(table: string, domainIds: readonly number[]): void {
    this.logger.warn('copies corrected', { table, rows: domainIds.length, domains: domainIds });
  }
}

/** Whether the work ended, but some of its items failed. They are tried again. */
export function hasFailures({ failed = 0 }: JobCounts): boolean {
  return failed > 0;
}
