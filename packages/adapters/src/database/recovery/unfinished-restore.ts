import { UNFINISHED } from '../../recovery/restored-folder.js';
import type { Database } from '../driver/database.js';

/** The table that says that a restore into the database has not ended. */
export const UNFINISHED_TABLE = 'restore_unfinished';

/**
 * On MariaDB. The embedded database has a file instead.
 *
 * @throws Error when a restore into the database runs or was killed
 */
export async function refuseUnfinishedRestore({ dialect, writer }: Database): Promise<void> {
  if (dialect.name !== 'mysql') return;
  const rows: unknown = await writer.query(
    'SELECT 1 FROM information_schema.tables WHERE table_schema = DATABASE() AND table_name = ?',
    [UNFINISHED_TABLE],
  );
  if (Array.isArray(rows) && rows.length > 0) throw new Error(`${UNFINISHED} (see DATABASE_URL)`);
}
