import { existsSync } from 'node:fs';
import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { generateIdentity, identityToRecipient } from 'age-encryption';
import { type Config, readConfig } from '../../config.js';
import type { Database } from '../../database/driver/database.js';
import { openDatabase } from '../../database/driver/open-database.js';
import { readTables } from '../../database/recovery/mysql-tables.js';
import { type DatabaseKind, makeTestLocation, type TestLocation } from '../../database/testing/database-fixture.js';
import { Progress } from '../progress.js';
import { restoreBackup } from '../restore-backup.js';
import { takeBackup } from '../take-backup.js';

/** Of a database that is backed up, or into which a backup is restored. */
type Place = Pick<TestLocation, 'url' | 'dataDir'>;

const SECRET_KEY = 'secret-key-of-the-backups-0123456789';
const MASTER = 'master-token-of-the-backups-0123456789';

/** What ends with a test. */
export class BackupWorld {
  private readonly cleanUps: (() => Promise<unknown>)[] = [];
  /** A connection to each target on MariaDB. */
  private readonly targets = new Map<string, Promise<Database>>();
  folder = '';

  constructor(readonly kind: DatabaseKind) {}

  async open(): Promise<void> {
    this.folder = await mkdtemp(join(tmpdir(), 'mailstead-backup-'));
    this.cleanUps.push(() => rm(this.folder, { recursive: true, force: true }));
  }

  async close(): Promise<void> {
    this.targets.clear();
    for (const cleanUp of this.cleanUps.splice(0).reverse()) await cleanUp();
  }

  path(name: string): string {
    return join(this.folder, name);
  }

  /** Makes an identity of age. @returns its file, and the recipient that backups are encrypted for */
  async identity(): Promise<{ file: string; recipient: string }> {
    const identity = await generateIdentity();
    const file = this.path('identity.txt');
    await writeFile(file, `${identity}\n`, { mode: 0o600 });
    return { file, recipient: await identityToRecipient(identity) };
  }

  /** An empty database, or an empty folder. */
  async location(): Promise<TestLocation> {
    const location = await makeTestLocation(this.kind);
    this.cleanUps.push(location.remove);
    return location;
  }

  config({ url, dataDir }: Place, changed: Record<string, string> = {}): Readonly<Config> {
    return readConfig(this.environment({ url, dataDir }, changed));
  }

  environment({ url, dataDir }: Place, changed: Record<string, string> = {}) {
    return {
      DATA_DIR: dataDir,
      ...(url === null ? {} : { DATABASE_URL: url }),
      MASTER_TOKEN: MASTER,
      SECRET_KEY,
      ...changed,
    };
  }

  async database({ url, dataDir }: Place): Promise<Database> {
    const database = await openDatabase({ url, dataDir, poolSize: 6 });
    // As in `openTestDatabase`.
    if (this.kind === 'sqlite') await database.writer.query('PRAGMA synchronous = OFF');
    let isOpen = true;
    const close = database.close.bind(database);
    database.close = async () => {
      if (isOpen) await close();
      isOpen = false;
    };
    this.cleanUps.push(() => database.close());
    return database;
  }

  backup(from: Place, name: string, encryptFor: string | null = null, changed: Record<string, string> = {}) {
    return takeBackup(this.config(from, changed), {
      to: this.path(name),
      encryptFor,
      progress: new Progress({ isTTY: false, write: () => true }),
      signal: new AbortController().signal,
    });
  }

  restore(
    to: Place,
    name: string,
    options: { identity?: string; otherSecretKey?: boolean; raise?: number; signal?: AbortSignal } = {},
    changed: Record<string, string> = {},
  ) {
    return restoreBackup(this.config(to, changed), {
      from: this.path(name),
      identity: options.identity ?? null,
      otherSecretKey: options.otherSecretKey ?? false,
      raise: options.raise ?? 1_000_000,
      progress: new Progress({ isTTY: false, write: () => true }),
      signal: options.signal ?? new AbortController().signal,
    });
  }

  /** Expects that nothing was restored, or left. */
  async expectEmpty(place: Place): Promise<void> {
    if (place.url === null) {
      expect(existsSync(place.dataDir) ? await readdir(place.dataDir) : []).toEqual([]);
      return;
    }
    const opened = this.targets.get(place.url) ?? this.database(place);
    this.targets.set(place.url, opened);
    expect(await readTables(await opened)).toEqual({ tables: [], views: [] });
  }
}
