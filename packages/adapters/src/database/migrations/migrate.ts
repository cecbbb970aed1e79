import { hostname } from 'node:os';
import { join } from 'node:path';
import { AppError } from '@mailstead/core/errors';
import { DataSource, MigrationExecutor } from 'typeorm';
import type { Database } from '../driver/database.js';
import { databaseErrorCode } from '../driver/database-error.js';

const LOCK_TIMEOUT_S = 60;
const LOCK_NAME = 'mailstead_migrate';

/**
 * Runs the pending migrations. Only one replica migrates at a time; the others wait for the lock. When a step fails,
 * the earlier steps stay recorded, and the next start continues with the failed one.
 *
 * @returns the number of steps
 * @throws Error that names the failed step
 */
export async function migrate(database: Database): Promise<number> {
  return database.dialect.name === 'mysql'
    ? underMysqlLock(database, () => runPending(database))
    : runPending(database);
}

async function runPending({ writer }: Database): Promise<number> {
  const executor = new MigrationExecutor(writer);
  executor.transaction = 'each';
  const pending = await executor.getPendingMigrations();
  if (pending.length === 0) return 0;
  try {
    return (await executor.executePendingMigrations()).length;
  } catch (error) {
    const next = (await executor.getPendingMigrations().catch(() => []))[0]?.name ?? 'unknown';
    throw new Error(
      `Migration ${next} failed: ${String(error)}. The steps before it are kept; mend the cause and start again.`,
      {
        cause: error,
      },
    );
  }
}

async function underMysqlLock(database: Database, work: () => Promise<number>): Promise<number> {
  const runner = database.writer.createQueryRunner();
  try {
    const rows = (await runner.query('SELECT GET_LOCK(?, ?) AS taken', [LOCK_NAME, LOCK_TIMEOUT_S])) as {
      taken: unknown;
    }[];
    if (Number(rows[0]?.taken) !== 1) {
      throw new AppError('database_unavailable', {
        detail: `Another process has been migrating for ${LOCK_TIMEOUT_S} s`,
      });
    }
    return await work();
  } finally {
    await runner.query('SELECT RELEASE_LOCK(?)', [LOCK_NAME]).catch(() => undefined);
    await runner.release();
  }
}

/**
 * Reserves the embedded database for this process, with an exclusive transaction on a separate file. The operating
 * system releases its lock when the process ends, also after kill -9.
 *
 * @throws Error when another process uses the database, or the folder cannot be used
 */
export async function claimEmbeddedDatabase(dataDir: string): Promise<{ release(): Promise<void> }> {
  const { GuardedLibsql } = await import('../driver/guarded-libsql.js');
  const lock = await new DataSource({
    type: 'better-sqlite3',
    driver: GuardedLibsql,
    database: join(dataDir, 'lock.sqlite'),
    timeout: 0,
  }).initialize();
  try {
    // The file stays empty. A journal file would need space on the disk.
    await lock.query('PRAGMA journal_mode = MEMORY');
    await lock.query('BEGIN EXCLUSIVE');
  } catch (error) {
    await lock.destroy();
    if (databaseErrorCode(error) !== 'SQLITE_BUSY') throw error;
    throw new Error(
      `Another process on ${hostname()} uses the embedded database in ${dataDir}; stop it, or set another DATA_DIR`,
      {
        cause: error,
      },
    );
  }
  return { release: () => lock.destroy() };
}
