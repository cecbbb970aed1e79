import { AppError } from '@mailstead/core/errors';
import { isRetriedError } from './database-error.js';

const MAX_ATTEMPTS = 8;

/**
 * Runs work again that lost a deadlock, waited too long for a lock, or met a changed row. Its first run left nothing behind.
 *
 * @throws AppError `database_unavailable` when every attempt failed so; any other error is passed on at once.
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
