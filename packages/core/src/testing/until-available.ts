import { isDatabaseOutage } from '../errors.js';

/**
 * Repeats work that throws `database_unavailable` or `busy`: on a cluster, all attempts of a unit of work may fail
 * because of concurrent writers.
 */
export async function untilAvailable<T>(work: () => Promise<T>): Promise<T> {
  for (;;) {
    try {
      return await work();
    } catch (error) {
      if (!isDatabaseOutage(error)) throw error;
    }
  }
}
