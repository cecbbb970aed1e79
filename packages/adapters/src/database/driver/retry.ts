import { AppError } from '@mailstead/core/errors';
import { isRetriedError } from './database-error.js';

const MAX_ATTEMPTS = 8;

/**
 * Retries work after a deadlock, a lock time-out or a changed row. A failed attempt must be rolled back completely.
 *
 * @throws AppError database_unavailable when all attempts fail in this way; any other error at once
 */
export async function withRetries<T>(work: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await work();
    } catch (error) {
      if (!isRetriedError(error)) throw error;
      if (attempt === MAX_ATTEMPTS) throw new AppError('database_unavailable', { cause: error });
      await jitter(attempt);
    }
  }
}

function jitter(attempt: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, Math.random() * 10 * 2 ** attempt));
}
