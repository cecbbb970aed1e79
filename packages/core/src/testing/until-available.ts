import { AppError } from '../errors.js';

/** Calls again what answers `database_unavailable`: on a cluster a unit of work may lose every one of its tries to others. */
export async function untilAvailable<T>(work: () => Promise<T>): Promise<T> {
  for (;;) {
    try {
      return await work();
    } catch (error) {
      if (!(error instanceof AppError) || error.code !== 'database_unavailable') throw error;
    }
  }
}
