import type { Database } from '../driver/database.js';

/** Waits until so many statements in this database of MariaDB, other than the caller's, lock or wait for a lock of the table. */
export async function waitingForLock(database: Database, table: 'partner' | 'domain', statements = 1): Promise<void> {
  const count = async () => {
    const rows = await database.read(
      `SELECT id FROM information_schema.processlist
        WHERE db = DATABASE() AND id <> CONNECTION_ID() AND info REGEXP 'FROM .?${table}.* FOR UPDATE|^UPDATE .?${table}'`,
    );
    return rows.length;
  };
  while ((await count()) < statements) await new Promise((resolve) => setImmediate(resolve));
}
