import { readFile, writeFile } from 'node:fs/promises';
import type { Database } from '../driver/database.js';
import { openDatabase, sqliteFile } from '../driver/open-database.js';
import { migrate } from '../migrations/migrate.js';
import { readSchema } from '../migrations/new-installation.js';
import type { DatabaseKind, TestLocation } from './database-fixture.js';

/** What `migrate` made of the first database of this worker: its file, or statements that make the same. */
const kept: { sqlite?: Buffer; mariadb?: string } = {};

/** Opens a new installation. All but the first are copies, which take a fraction of the processor time of `migrate`. */
export async function openInstalled(kind: DatabaseKind, { url, dataDir }: TestLocation): Promise<Database> {
  if (kind === 'sqlite' && kept.sqlite !== undefined) {
    await writeFile(sqliteFile(dataDir), kept.sqlite, { mode: 0o600 });
  }
  const database = await openDatabase({ url, dataDir, poolSize: 20 });
  const { writer } = database;
  // Tests end no machine, and what a killed process wrote is kept without it.
  if (kind === 'sqlite') await writer.query('PRAGMA synchronous = OFF');
  if (kept[kind] === undefined) {
    await migrate(database);
    if (kind === 'sqlite') {
      await writer.query('PRAGMA wal_checkpoint(TRUNCATE)');
      kept.sqlite = await readFile(sqliteFile(dataDir));
    } else kept.mariadb = await statementsOf(database);
  } else if (kind === 'mariadb') await writer.query(kept.mariadb ?? '');
  return database;
}

async function statementsOf({ writer }: Database): Promise<string> {
  const steps = await writer.query<{ timestamp: number; name: string }[]>(
    'SELECT timestamp, name FROM migration ORDER BY id',
  );
  const rows = steps.map(({ timestamp, name }) => `(${timestamp}, '${name}')`);
  return [
    'SET FOREIGN_KEY_CHECKS = 0',
    ...readSchema('mysql').statements,
    'SET FOREIGN_KEY_CHECKS = 1',
    `INSERT INTO migration (timestamp, name) VALUES ${rows.join(', ')}`,
  ].join(';\n');
}
