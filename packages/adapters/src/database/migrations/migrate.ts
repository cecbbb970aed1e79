import { hostname } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { MINUTE_MS } from '@mailstead/core/clock';
import { DataSource, MigrationExecutor, type QueryRunner } from 'typeorm';
import { preparePrivateDatabase } from '../../private-files.js';
import type { Database } from '../driver/database.js';
import { databaseErrorCode, isAlreadyDoneError, isLostConnection, isRetriedError } from '../driver/database-error.js';
import { LeaseLost, MigrationLease } from './migration-lease.js';
import { underMysqlLock } from './mysql-migration-lock.js';
import { installNewest } from './new-installation.js';

/** The file that a process locks to have the embedded database alone. */
export const LOCK_FILE = 'lock.sqlite';
const LEASE_TIMEOUT_MS = MINUTE_MS;
/** The pause before a step is tried again, in which the requests that waited behind it are handled. */
const PAUSE_MS = 5_000;
const MAX_TRIES = 8;

/** A process that lost its lease or lock waits for it again; the one that took it over may have done everything. */
const MAX_CLAIMS = 3;

/**
 * Gives a new installation the newest schema, and another one the steps that it lacks. Only one replica migrates at a
 * time; the others wait for the lock, on a Galera cluster also for the lease. When a step fails, or its process is
 * killed, the earlier steps stay recorded, and the next start continues with it. A step that cannot lock its table is
 * tried again for about a minute.
 *
 * @returns the number of steps
 * @throws Error that names the failed step
 */
export async function migrate(database: Database, pauseMs = PAUSE_MS): Promise<number> {
  for (let left = MAX_CLAIMS; ; left -= 1) {
    try {
      return await (database.nodes.isCluster ? underLease(database, pauseMs) : migrateOn(database, pauseMs));
    } catch (error) {
      if (left === 1 || !isLost(error)) throw error;
    }
  }
}

async function underLease(database: Database, pauseMs: number): Promise<number> {
  const lease = await MigrationLease.claim(database.writer, LEASE_TIMEOUT_MS);
  try {
    return await migrateOn(database, pauseMs, lease);
  } finally {
    await lease.release();
  }
}

/** @param lease checked before each statement */
async function migrateOn(database: Database, pauseMs: number, lease?: MigrationLease): Promise<number> {
  const runner = database.writer.createQueryRunner();
  const work = async () => {
    const endGuard = lease?.guard(runner);
    try {
      const installed = await install(database, runner);
      return installed + (await runPending(new MigrationExecutor(database.writer, runner), pauseMs));
    } finally {
      endGuard?.();
    }
  };
  try {
    return database.dialect.name === 'mysql' ? await underMysqlLock(runner, work) : await work();
  } finally {
    await runner.release();
  }
}

/** The lease, or the connection of the lock, which ends with the lock. */
function isLost(error: unknown): boolean {
  const cause = error instanceof Error && error.cause !== undefined ? error.cause : error;
  return cause instanceof LeaseLost || isLostConnection(cause);
}

async function install(database: Database, runner: QueryRunner): Promise<number> {
  try {
    return await installNewest(database, runner);
  } catch (error) {
    if (runner.isTransactionActive) await runner.rollbackTransaction().catch(() => undefined);
    throw new Error(`The schema cannot be created: ${String(error)}. Correct the cause and start again.`, {
      cause: error,
    });
  }
}

async function runPending(executor: MigrationExecutor, pauseMs: number, tries = MAX_TRIES): Promise<number> {
  executor.transaction = 'each';
  const pending = await executor.getPendingMigrations();
  const [first] = pending;
  if (first === undefined) return 0;
  try {
    await executor.executePendingMigrations();
    return pending.length;
  } catch (error) {
    const left = await executor.getPendingMigrations().catch(() => []);
    const [next] = left;
    // A process that was killed may have left its step done and not recorded: MariaDB commits each DDL statement, and
    // finishes it when its client is gone. Only the first pending step can be such a one.
    if (next?.name === first.name && isAlreadyDoneError(error)) {
      await executor.insertMigration(first);
      return 1 + (await runPending(executor, pauseMs, tries));
    }
    if (isRetriedError(error) && tries > 1) {
      await sleep(pauseMs);
      return pending.length - left.length + (await runPending(executor, pauseMs, tries - 1));
    }
    throw new Error(
      `Migration ${next?.name ?? 'unknown'} failed: ${String(error)}. The steps before it are kept; correct the cause and start again.`,
      { cause: error },
    );
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
  const path = join(dataDir, LOCK_FILE);
  preparePrivateDatabase(path);
  const lock = await new DataSource({
    type: 'better-sqlite3',
    driver: GuardedLibsql,
    database: path,
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
