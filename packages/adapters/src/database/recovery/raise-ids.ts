import type { RestoredBackup } from '@mailstead/core/recovery/restored-installation';
import type { Database } from '../driver/database.js';
import { SqlUnitOfWork } from '../driver/sql-unit-of-work.js';
import { skipPositions } from '../events/event-gaps.js';
import { RESTORE_MARK, restoreMarkOf } from './restore-mark.js';

/** Its ids are seen by nobody, and are small. */
const MIGRATIONS = 'migration';

/**
 * Closes the service, and ends what must not come back: sessions, and codes for one login, which may have been used
 * since. Readers of events go on behind the positions that were lost.
 */
export function closeRestored(database: Database, restored: RestoredBackup, raise: number): Promise<void> {
  return new SqlUnitOfWork(database).run(async () => {
    await database.write('DELETE FROM portal_session');
    await database.write("DELETE FROM portal_link WHERE kind = 'manage'");
    await database.write('DELETE FROM installation WHERE name = ?', [RESTORE_MARK]);
    await database.write('INSERT INTO installation (name, value) VALUES (?, ?)', [
      RESTORE_MARK,
      restoreMarkOf(restored),
    ]);
    await skipPositions(database, raise);
  });
}

/**
 * Raises the next generated id of every table: systems outside may know ids that were given after the backup, such as
 * the relay, which marks identities with the id of their domain.
 */
export async function raiseIds(database: Database, raise: number): Promise<void> {
  if (database.dialect.name === 'mysql') await raiseMysql(database, raise);
  else await raiseSqlite(database, raise);
}

/** More changes of one row than a window can have. The columns have 32 bits, so a larger `raise` is for ids alone. */
const MOST_CHANGES = 1_000_000;

/** A statement has few rows: a cluster sends its changes as one message, of limited size. */
const ROWS_AT_ONCE = 10_000;

/** Raises the revision of every row: a caller may hold one that was given after the backup, and must not match. */
export async function raiseRevisions({ writer }: Database, raise: number, rowsAtOnce = ROWS_AT_ONCE): Promise<void> {
  for (const { tableName, columns, primaryColumns } of writer.entityMetadatas) {
    const names = columns.map(({ databaseName }) => databaseName).filter((name) => /(^|_)revision$/.test(name));
    const key = primaryColumns[0]?.databaseName;
    if (names.length === 0 || key === undefined) continue;
    const raised = names.map((name) => `${name} = ${name} + ${Math.min(raise, MOST_CHANGES)}`).join(', ');
    for (let after: number | undefined = 0; after !== undefined; ) {
      const [last] = (await writer.query(
        `SELECT ${key} AS id FROM ${tableName} WHERE ${key} > ? ORDER BY ${key} LIMIT 1 OFFSET ${rowsAtOnce - 1}`,
        [after],
      )) as { id: unknown }[];
      const upTo: number | undefined = last === undefined ? undefined : Number(last.id);
      const bound = upTo === undefined ? '' : ` AND ${key} <= ${upTo}`;
      await writer.query(`UPDATE ${tableName} SET ${raised} WHERE ${key} > ${after}${bound}`);
      after = upTo;
    }
  }
}

async function raiseMysql({ writer }: Database, raise: number): Promise<void> {
  const rows = (await writer.query(
    `SELECT table_name AS name, auto_increment AS next FROM information_schema.tables
      WHERE table_schema = DATABASE() AND auto_increment IS NOT NULL AND table_name <> '${MIGRATIONS}'`,
  )) as { name: string; next: unknown }[];
  for (const { name, next } of rows) {
    await writer.query(`ALTER TABLE \`${name}\` AUTO_INCREMENT = ${BigInt(String(next)) + BigInt(raise)}`);
  }
}

/** A table without a row has no row in `sqlite_sequence`. */
async function raiseSqlite({ writer }: Database, raise: number): Promise<void> {
  const tables = (await writer.query(
    "SELECT name FROM sqlite_master WHERE type = 'table' AND sql LIKE '%AUTOINCREMENT%' AND name <> ?",
    [MIGRATIONS],
  )) as { name: string }[];
  for (const { name } of tables) {
    await writer.query(
      'INSERT INTO sqlite_sequence (name, seq) SELECT ?, 0 WHERE NOT EXISTS (SELECT 1 FROM sqlite_sequence WHERE name = ?)',
      [name, name],
    );
    await writer.query('UPDATE sqlite_sequence SET seq = seq + ? WHERE name = ?', [raise, name]);
  }
}
