import { randomBytes } from 'node:crypto';
import { createReadStream, existsSync } from 'node:fs';
import { lstat, mkdir, readdir, readFile, rename, rm, stat, statfs, writeFile } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';
import { DAY_MS } from '@mailstead/core/clock';
import { reasonOf } from '@mailstead/core/errors';
import { SettingsError } from '@mailstead/core/settings/read-settings';
import type { Config } from '../config.js';
import type { Database } from '../database/driver/database.js';
import { openDatabase, sqliteFile } from '../database/driver/open-database.js';
import { type BackupFacts, readBackupFacts } from '../database/recovery/backup-facts.js';
import { refuseUnfinishedRestore } from '../database/recovery/unfinished-restore.js';
import { EMBEDDED_SECRETS } from '../embedded-secrets.js';
import { encrypterFor } from './age-files.js';
import { dumpMariadb } from './dump-mariadb.js';
import { LeftBehind } from './left-behind.js';
import { FORMAT, MANIFEST, type Manifest, ownVersion, type StoredFile } from './manifest.js';
import type { Progress } from './progress.js';
import { refuseUnfinishedFolder } from './restored-folder.js';
import { secretKeyPrint } from './secret-key-print.js';
import { type Storing, storeFile, syncFolder } from './stored-files.js';

const COPY_FOLDER = 'backup-';

export interface BackupOptions {
  /** The folder, which must not exist. */
  to: string;
  /** A recipient of age; null for a backup that is not encrypted. */
  encryptFor: string | null;
  progress: Progress;
  signal: AbortSignal;
}

interface Stored {
  facts: BackupFacts;
  files: StoredFile[];
}

/**
 * Makes a backup beside the running service. The folder gets its name when it is whole; after an error nothing of it is
 * left.
 *
 * @throws Error in one sentence
 */
export async function takeBackup(config: Readonly<Config>, options: BackupOptions): Promise<Manifest> {
  const encrypter = options.encryptFor === null ? null : encrypterFor(options.encryptFor);
  const to = resolve(options.to);
  await refuseExisting(to);
  const secretKey = await secretKeyOf(config);
  const database = await openSource(config);
  const folder = join(dirname(to), `.${basename(to)}.unfinished-${randomBytes(4).toString('hex')}`);
  try {
    await refuseUnfinishedRestore(database);
    await mkdir(folder, { mode: 0o700 });
    const storing: Storing = { folder, encrypter, progress: options.progress, signal: options.signal };
    const { facts, files } = await (config.databaseUrl === null
      ? copySqlite(database, config, storing)
      : dumpMariadb(database, config.databaseUrl, storing));
    const manifest = manifestOf(facts, files, config, await secretKeyPrint(secretKey, facts.installation));
    await writeFile(join(folder, MANIFEST), `${JSON.stringify(manifest, null, 2)}\n`, {
      mode: 0o600,
      flag: 'wx',
      flush: true,
    });
    await syncFolder(folder);
    options.signal.throwIfAborted();
    await refuseExisting(to);
    await rename(folder, to);
    await syncFolder(dirname(to));
    return manifest;
  } catch (thrown) {
    const error: unknown = options.signal.aborted ? options.signal.reason : thrown;
    await rm(folder, { recursive: true, force: true }).catch((second: unknown) => {
      throw new LeftBehind(folder, error, second);
    });
    throw error;
  } finally {
    options.progress.end();
    await database.close();
  }
}

async function refuseExisting(to: string): Promise<void> {
  if ((await lstat(to).catch(() => null)) !== null) throw new Error(`--to: ${to} exists already`);
  const parent = await stat(dirname(to)).catch(() => null);
  if (!parent?.isDirectory()) throw new Error(`--to: ${dirname(to)} is no folder`);
}

function manifestOf(facts: BackupFacts, files: StoredFile[], config: Readonly<Config>, print: string): Manifest {
  return {
    format: FORMAT,
    software: ownVersion(),
    schema: facts.schema,
    database: config.databaseUrl === null ? 'sqlite' : 'mariadb',
    database_version: facts.databaseVersion,
    installation: facts.installation,
    taken_at: facts.takenAt.toISOString(),
    event_position: facts.eventPosition,
    counts: facts.counts,
    secret_key: print,
    files,
  };
}

/** The key of the settings, or the one that the service generated; it generates none. */
async function secretKeyOf({ databaseUrl, dataDir, secretKey }: Readonly<Config>): Promise<string> {
  if (databaseUrl !== null || secretKey !== '') return secretKey;
  const path = join(resolve(dataDir), 'secret-key');
  return (await readFile(path, 'utf8').catch(() => '')).trim();
}

/** Opens the database only when it exists. */
async function openSource({ databaseUrl, dataDir }: Readonly<Config>): Promise<Database> {
  if (databaseUrl === null) {
    refuseUnfinishedFolder(dataDir);
    if (!existsSync(sqliteFile(dataDir))) throw new SettingsError([`DATA_DIR: ${dataDir} has no database`]);
  }
  return openDatabase({ url: databaseUrl, dataDir, poolSize: 2, sendsTogether: false }).catch((error: unknown) => {
    throw new Error(`The database cannot be opened: ${reasonOf(error)}`, { cause: error });
  });
}

/**
 * SQLite writes a copy of one snapshot, while the service goes on. The copy is not encrypted, so it is beside the
 * database, where the same users read it, and not where the backup is.
 */
async function copySqlite(database: Database, { dataDir }: Readonly<Config>, storing: Storing): Promise<Stored> {
  await removeOldCopies(dataDir);
  await refuseFullDisk(dataDir);
  const copyFolder = join(resolve(dataDir), COPY_FOLDER + randomBytes(4).toString('hex'));
  await mkdir(copyFolder, { mode: 0o700 });
  const copy = join(copyFolder, 'copy.sqlite');
  try {
    storing.progress.step('Copying the database');
    await writeFile(copy, '', { mode: 0o600 });
    const facts = await readBackupFacts(database);
    await database.reader.query(`VACUUM INTO '${copy.replaceAll("'", "''")}'`);
    const files = [await storeFile('database.sqlite.gz', createReadStream(copy), true, storing)];
    for (const name of EMBEDDED_SECRETS) {
      const path = join(resolve(dataDir), name);
      if (!existsSync(path)) continue;
      await mkdir(join(storing.folder, 'data'), { mode: 0o700, recursive: true });
      files.push(await storeFile(`data/${name}`, createReadStream(path), false, storing));
    }
    if (files.length > 1) await syncFolder(join(storing.folder, 'data'));
    return { facts, files };
  } finally {
    await rm(copyFolder, { recursive: true, force: true });
  }
}

/** A copy that fills the disk takes the room of the service, which then cannot write. */
async function refuseFullDisk(dataDir: string): Promise<void> {
  const file = sqliteFile(resolve(dataDir));
  const sizes = await Promise.all([file, `${file}-wal`].map((path) => stat(path).catch(() => null)));
  const needed = sizes.reduce((sum, found) => sum + (found?.size ?? 0), 0);
  const { bavail, bsize } = await statfs(dataDir);
  if (bavail * bsize >= needed) return;
  const megabytes = Math.ceil(needed / 1_000_000);
  throw new Error(
    `DATA_DIR needs ${megabytes} MB of free space for a copy of the database, so that the service goes on`,
  );
}

/** Those of backups that were killed more than a day ago. */
async function removeOldCopies(dataDir: string): Promise<void> {
  for (const name of await readdir(dataDir)) {
    const path = join(dataDir, name);
    if (!/^backup-[0-9a-f]{8}$/.test(name) || (await stat(path)).mtimeMs > Date.now() - DAY_MS) continue;
    await rm(path, { recursive: true, force: true });
  }
}
