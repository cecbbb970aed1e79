import { AppError } from '../errors.js';

/**
 * Repeats work that throws `database_unavailable`: on a cluster, all attempts of a unit of work may fail because of
 * concurrent writers.
 */
export async function untilAvailable<T>(work: () => Promise<T>): Promise<T> {
  for (;;) {
    try {
      return await work();
    } catch (error) {
      if (!(error instanceof AppError) || error.code !== 'database_unavailable') throw error;
    }
  }
}
