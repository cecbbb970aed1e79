import { HOUR_MS } from '@mailstead/core/clock';
import { AppError, type ErrorKind } from '@mailstead/core/errors';
import { JOB_OPTIONS, type JobName } from '@mailstead/core/jobs/jobs';

const MAX_BACKOFF_MS = HOUR_MS;

/** Whether a job that failed with an error of this kind may succeed in another attempt. */
const RETRIED: Record<ErrorKind, boolean> = {
  malformed: false,
  invalid: false,
  unauthenticated: false,
  forbidden: false,
  over_quota: false,
  not_found: false,
  duplicate: false,
  method_not_allowed: false,
  timed_out: false,
  too_large: false,
  headers_too_large: false,
  expectation_failed: false,
  unsupported_media_type: false,
  in_progress: true,
  conflict: false,
  gone: false,
  precondition: false,
  too_many: true,
  unavailable: true,
  internal: true,
};

/** @param failedAttempts includes the attempt that failed now */
export function isFinalFailure(name: JobName, failedAttempts: number, error: unknown): boolean {
  if (error instanceof AppError && !RETRIED[error.kind]) return true;
  return failedAttempts >= JOB_OPTIONS[name].maxAttempts;
}

/**
 * The wait before the next attempt: doubles with each failure up to one hour, plus or minus a random 25 %, so that jobs
 * that failed together do not all run again together.
 *
 * @param failedAttempts 1 or more
 */
export function backoffMs(name: JobName, failedAttempts: number): number {
  const backoff = JOB_OPTIONS[name].firstRetryMs * 2 ** (failedAttempts - 1);
  return Math.min(MAX_BACKOFF_MS, backoff) * (0.75 + Math.random() / 2);
}
