import { AppError } from '@mailstead/core/errors';
import { withTimeout } from '@mailstead/core/with-timeout';

/**
 * Ignores the result of a promise that settles too late.
 *
 * @throws AppError database_unavailable after `ms` milliseconds
 */
export function withDeadline<T>(promise: Promise<T>, ms: number): Promise<T> {
  return withTimeout(promise, ms, () => {
    throw new AppError('database_unavailable');
  });
}
