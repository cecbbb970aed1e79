import { until } from '@mailstead/core/testing/until';
import type { Database } from '../driver/database.js';

/**
 * What MariaDB says of a statement that locks rows or waits for a lock. It shows a statement for a moment longer than
 * its client waits for the result, but then with another state.
 */
const LOCKING = ['Statistics', 'Sending data', 'Updating', 'Searching rows for update'];

type LockedTable = 'partner' | 'domain' | 'tombstone' | 'outbound_counter' | 'webhook_endpoint';

/**
 * Waits until this many other statements in this MariaDB database lock rows of one of the tables or wait for such a
 * lock.
 */
export async function waitingForLock(
  database: Database,
  of: LockedTable | readonly LockedTable[],
  statements = 1,
): Promise<void> {
  const tables = [of].flat().join('|');
  const isWaiting = async () => {
    const rows = await database.read(
      `SELECT id FROM information_schema.processlist
        WHERE db = DATABASE() AND id <> CONNECTION_ID() AND state IN (${LOCKING.map(() => '?').join()})
          AND info REGEXP 'FROM .?(${tables}).* FOR UPDATE|^UPDATE .?(${tables})'`,
      LOCKING,
    );
    return rows.length >= statements;
  };
  await until(`${statements} statements that lock rows of ${tables}`, isWaiting);
}
