import type { Database } from '../driver/database.js';
import { migrate } from '../migrations/migrate.js';
import { steps } from '../migrations/migrations.js';

/**
 * Migrates as a former release did: it has only these steps, and runs them one after another. A list without the last
 * step of `schema/*.sql` gets no installation the newest schema at once.
 *
 * @returns the number of steps that were run
 */
export async function migrateAsFormer(
  database: Database,
  isKnown: (step: { number: number; index: number }) => boolean,
  pauseMs = 0,
): Promise<number> {
  const { writer } = database;
  const { migrations } = writer;
  const known = steps(database.dialect).map(({ number }, index) => isKnown({ number, index }));
  Object.assign(writer, { migrations: migrations.filter((_, index) => known[index]) });
  try {
    return await migrate(database, pauseMs);
  } finally {
    Object.assign(writer, { migrations });
  }
}
