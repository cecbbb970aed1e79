import { createWriteStream } from 'node:fs';
import { mkdir, readdir, rm, rmdir, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { Database } from '../database/driver/database.js';
import { openDatabase, sqliteFile } from '../database/driver/open-database.js';
import { claimEmbeddedDatabase, LOCK_FILE } from '../database/migrations/migrate.js';
import { EMBEDDED_SECRETS } from '../embedded-secrets.js';
import { nameOf, type OpenedBackup } from './open-backup.js';
import type { RestoreTarget } from './restore-target.js';
import { UNFINISHED, UNFINISHED_FILE } from './restored-folder.js';
import { syncFolder } from './stored-files.js';

const DATABASE = ['mailstead.sqlite', LOCK_FILE];
/** All that a restore writes. */
const OWN = new RegExp(
  `^(${UNFINISHED_FILE}|${EMBEDDED_SECRETS.join('|')}|(${DATABASE.join('|')})(-wal|-shm|-journal)?)$`.replaceAll(
    '.',
    '\\.',
  ),
);

/** The data folder of an embedded database. */
export class FolderTarget implements RestoreTarget {
  private readonly folder: string;
  private isNew = false;
  private lock: { release(): Promise<void> } | null = null;

  constructor(dataDir: string) {
    this.folder = resolve(dataDir);
  }

  async check(): Promise<void> {
    const names = await this.names();
    const isKilled = names?.includes(UNFINISHED_FILE) === true && names.every((name) => OWN.test(name));
    if (names !== null && names.length > 0 && !isKilled) {
      throw new Error(`DATA_DIR is not empty: ${this.folder}; restore into a new folder`);
    }
  }

  async claim(): Promise<void> {
    this.isNew = (await mkdir(this.folder, { recursive: true, mode: 0o700 })) !== undefined;
    await writeFile(this.path(UNFINISHED_FILE), `${UNFINISHED}.\n`, { mode: 0o600, flush: true });
    await syncFolder(this.folder);
    this.lock = await claimEmbeddedDatabase(this.folder);
    await this.check();
    await this.remove((name) => name !== UNFINISHED_FILE && name !== LOCK_FILE);
  }

  async load(content: Readable, signal: AbortSignal): Promise<void> {
    const file = createWriteStream(sqliteFile(this.folder), { mode: 0o600, flags: 'wx', flush: true });
    await pipeline(content, file, { signal });
  }

  open(): Promise<Database> {
    return openDatabase({ url: null, dataDir: this.folder, poolSize: 2 });
  }

  async writeFiles(backup: OpenedBackup): Promise<void> {
    for (const file of backup.data) {
      const name = nameOf(file);
      // The settings have another one, which the operator wants.
      if (!OWN.test(name) || (name === 'secret-key' && backup.hasOtherKey)) continue;
      const out = createWriteStream(this.path(name), { mode: 0o600, flags: 'wx', flush: true });
      await pipeline(backup.read(file), out);
    }
  }

  async finish(): Promise<void> {
    await syncFolder(this.folder);
    await rm(this.path(UNFINISHED_FILE));
    await syncFolder(this.folder);
  }

  async undo(): Promise<void> {
    if (this.lock === null) return;
    await this.remove((name) => name !== UNFINISHED_FILE);
    await rm(this.path(UNFINISHED_FILE), { force: true });
    if (this.isNew) await rmdir(this.folder);
    else await syncFolder(this.folder);
  }

  async close(): Promise<void> {
    await this.lock?.release();
  }

  private async remove(isRemoved: (name: string) => boolean): Promise<void> {
    for (const name of (await this.names()) ?? []) {
      if (OWN.test(name) && isRemoved(name)) await rm(this.path(name), { force: true });
    }
  }

  private path(name: string): string {
    return join(this.folder, name);
  }

  /** Null when there is no such folder. */
  private async names(): Promise<string[] | null> {
    return readdir(this.folder).catch((error: NodeJS.ErrnoException) => {
      if (error.code === 'ENOENT') return null;
      throw error;
    });
  }
}
