import { AppError } from '@mailstead/core/errors';
import { withTimeout } from '@mailstead/core/with-timeout';

/** @throws AppError `database_unavailable` when the promise is not settled in time; its late outcome is ignored. */
export function withDeadline<T>(promise: Promise<T>, ms: number): Promise<T> {
  return withTimeout(promise, ms, () => {
    throw new AppError('database_unavailable');
  });
}
