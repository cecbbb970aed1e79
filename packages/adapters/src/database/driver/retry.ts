import { deadline } from '@mailstead/core/deadlines';
import { AppError } from '@mailstead/core/errors';
import { isRetriedError, LostBeforeCommit } from './database-error.js';

const MAX_ATTEMPTS = 8;

/**
 * Retries work after a deadlock, a lock time-out, a changed row, or a connection that was lost before the commit. A
 * failed attempt must be rolled back completely.
 *
 * @throws AppError busy or database_unavailable when all attempts fail in this way; any other error at once
 */
export async function withRetries<T>(work: () => Promise<T>): Promise<T> {
  const begun = performance.now();
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await work();
    } catch (error) {
      if (!isRetriedError(error)) throw error;
      const isLast = attempt === MAX_ATTEMPTS || performance.now() - begun >= deadline('databaseTurn');
      if (isLast)
        throw new AppError(error instanceof LostBeforeCommit ? 'database_unavailable' : 'busy', { cause: error });
      await jitter(attempt);
    }
  }
}

function jitter(attempt: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, Math.random() * 10 * 2 ** attempt));
}
