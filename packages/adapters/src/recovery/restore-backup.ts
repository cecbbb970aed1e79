import { reasonOf } from '@mailstead/core/errors';
import { readOwnTime } from '@mailstead/core/read-time';
import type { Config } from '../config.js';
import type { Database } from '../database/driver/database.js';
import { migrate } from '../database/migrations/migrate.js';
import { readSteps } from '../database/recovery/backup-facts.js';
import { createViews } from '../database/recovery/mysql-tables.js';
import { closeRestored, raiseIds, raiseRevisions } from '../database/recovery/raise-ids.js';
import { FolderTarget } from './folder-target.js';
import { LeftBehind } from './left-behind.js';
import type { Manifest } from './manifest.js';
import { MariadbTarget } from './mariadb-target.js';
import { type OpenedBackup, type OpenOptions, openBackup } from './open-backup.js';
import type { RestoreTarget } from './restore-target.js';

/** By how much generated ids and the last position of events rise: more than the lost ones. */
export const DEFAULT_RAISE = 1_000_000;

export interface RestoreOptions extends OpenOptions {
  raise: number;
}

/**
 * Restores a backup into the empty database or data folder of the settings. The service on it is closed until the
 * operator accepts the restore. After an error the target is empty again; after a kill it is marked, and the next
 * restore starts over.
 *
 * @throws Error in one sentence
 */
export async function restoreBackup(config: Readonly<Config>, options: RestoreOptions): Promise<Manifest> {
  const backup = await openBackup(config, options);
  const queues = config.redisUrl === null ? null : await openQueues(config.redisUrl);
  let target: RestoreTarget | null = null;
  try {
    target = await targetOf(config);
    await target.check();
    await target.claim();
    await fill(target, backup, options);
    await queues?.empty();
    await target.finish();
    return backup.manifest;
  } catch (thrown) {
    const error: unknown = options.signal.aborted ? options.signal.reason : thrown;
    await target?.undo().catch((second: unknown) => {
      throw new LeftBehind('what was restored', error, second);
    });
    throw error;
  } finally {
    options.progress.end();
    await target?.close();
    await queues?.close();
  }
}

/** BullMQ and ioredis take half a second to load, so they are loaded only when Redis is configured. */
async function openQueues(url: string) {
  const { ServiceQueues } = await import('../bullmq/service-queues.js');
  return ServiceQueues.connect(url);
}

async function targetOf({ databaseUrl, dataDir }: Readonly<Config>): Promise<RestoreTarget> {
  if (databaseUrl === null) return new FolderTarget(dataDir);
  return MariadbTarget.connect(databaseUrl).catch((error: unknown) => {
    throw new Error(`The database cannot be opened: ${reasonOf(error)}`, { cause: error });
  });
}

async function fill(target: RestoreTarget, backup: OpenedBackup, options: RestoreOptions): Promise<void> {
  const { progress, signal, raise } = options;
  progress.step('Loading the database');
  await target.load(backup.read(backup.database), signal);
  const database = await target.open();
  try {
    signal.throwIfAborted();
    progress.step('Preparing the database');
    await prepare(database, backup.manifest, raise);
    signal.throwIfAborted();
    await target.writeFiles(backup);
  } finally {
    if (target instanceof FolderTarget) await database.close();
  }
}

async function prepare(database: Database, { taken_at }: Manifest, raise: number): Promise<void> {
  if (database.dialect.name === 'mysql') await createViews(database, await readSteps(database));
  await migrate(database);
  await closeRestored(database, { takenAt: readOwnTime(taken_at), restoredAt: new Date() }, raise);
  await raiseIds(database, raise);
  await raiseRevisions(database, raise);
}
