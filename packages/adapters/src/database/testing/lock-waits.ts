import { until } from '@mailstead/core/testing/until';
import type { Database } from '../driver/database.js';

/** Waits until this many other statements in this MariaDB database lock the table's rows or wait for such a lock. */
export async function waitingForLock(
  database: Database,
  table: 'partner' | 'domain' | 'tombstone' | 'outbound_counter' | 'webhook_endpoint',
  statements = 1,
): Promise<void> {
  const isWaiting = async () => {
    const rows = await database.read(
      `SELECT id FROM information_schema.processlist
        WHERE db = DATABASE() AND id <> CONNECTION_ID() AND info REGEXP 'FROM .?${table}.* FOR UPDATE|^UPDATE .?${table}'`,
    );
    return rows.length >= statements;
  };
  await until(`${statements} statements that lock rows of ${table}`, isWaiting);
}
