import { createWriteStream } from 'node:fs';
import { mkdir, readdir, rm, rmdir, writeFile } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
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

const JOURNALS = '(-wal|-shm|-journal)?';
const LOCK = new RegExp(`^${LOCK_FILE}${JOURNALS}$`.replaceAll('.', '\\.'));
const SECRETS: readonly string[] = EMBEDDED_SECRETS;
/** All that a restore writes. */
const OWN = new RegExp(
  `^(${UNFINISHED_FILE}|${SECRETS.join('|')}|(mailstead.sqlite|${LOCK_FILE})${JOURNALS})$`.replaceAll('.', '\\.'),
);

/** The data folder of an embedded database. */
export class FolderTarget implements RestoreTarget {
  private readonly folder: string;
  /** The outermost folder that the restore made. */
  private made: string | undefined;
  private isClaimed = false;
  private lock: { release(): Promise<void> } | null = null;

  constructor(dataDir: string) {
    this.folder = resolve(dataDir);
  }

  async check(): Promise<void> {
    const names = (await this.names()) ?? [];
    // A process that has the lock and nothing else was killed at its very start, or is this one.
    const isEmpty = names.every((name) => LOCK.test(name));
    const isKilled = names.includes(UNFINISHED_FILE) && names.every((name) => OWN.test(name));
    if (!isEmpty && !isKilled) throw new Error(`DATA_DIR is not empty: ${this.folder}; restore into a new folder`);
  }

  /** The lock first: who marks without it may mark what another restore has finished, or a service has begun. */
  async claim(): Promise<void> {
    this.made = await mkdir(this.folder, { recursive: true, mode: 0o700 });
    this.lock = await claimEmbeddedDatabase(this.folder);
    await this.check();
    this.isClaimed = true;
    await writeFile(this.path(UNFINISHED_FILE), `${UNFINISHED}.\n`, { mode: 0o600, flush: true });
    await syncFolder(this.folder);
    await this.remove((name) => name !== UNFINISHED_FILE && !LOCK.test(name));
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
      if (!SECRETS.includes(name) || (name === 'secret-key' && backup.hasOtherKey)) continue;
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
    if (!this.isClaimed) return;
    await this.remove((name) => name !== UNFINISHED_FILE);
    await rm(this.path(UNFINISHED_FILE), { force: true });
    const { made } = this;
    if (made === undefined) await syncFolder(this.folder);
    else for (let path = this.folder; path.startsWith(made); path = dirname(path)) await rmdir(path);
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
