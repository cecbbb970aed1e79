import { compareVersions, SOFTWARE_VERSION } from '@mailstead/core/software-version';
import type { Database } from '../driver/database.js';

/**
 * The row of `installation` with the oldest release whose processes can live with the schema. Only a migration that
 * takes something away writes it (`servedFrom` in `migrations/step.ts`).
 */
export const SERVED_FROM = 'served_from';

/** @returns why this process must not serve the database; null when it may. @throws AppError database_unavailable */
export async function tooNewFor(database: Database, own = SOFTWARE_VERSION): Promise<string | null> {
  const [row] = await database.read('SELECT value FROM installation WHERE name = ?', [SERVED_FROM]);
  const oldest = typeof row?.value === 'string' ? row.value : own;
  if (compareVersions(own, oldest) >= 0) return null;
  return `The schema of the database is for release ${oldest} or later, and this is ${own}; start the newer release`;
}
