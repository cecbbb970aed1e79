import { createReadStream } from 'node:fs';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import type { Decrypter } from 'age-encryption';
import type { Config } from '../config.js';
import { MYSQL } from '../database/driver/mysql-dialect.js';
import { SQLITE } from '../database/driver/sqlite-dialect.js';
import { steps } from '../database/migrations/migrations.js';
import { decrypterOf } from './age-files.js';
import { isHigherVersion, type Manifest, newer, ownVersion, readManifest, type StoredFile } from './manifest.js';
import type { Progress } from './progress.js';
import { isSecretKeyOf } from './secret-key-print.js';
import { ENCRYPTED, readingSteps, verifyFile } from './stored-files.js';

/** The part of a file that shows whether an identity opens it. */
const HEAD_BYTES = 200_000;

export interface OpenOptions {
  from: string;
  identity: string | null;
  otherSecretKey: boolean;
  progress: Progress;
  signal: AbortSignal;
}

/** A backup that was checked: whole, not damaged, and this software can restore it with these settings. */
export class OpenedBackup {
  constructor(
    private readonly folder: string,
    readonly manifest: Manifest,
    private readonly decrypter: Decrypter | null,
    /** Whether SECRET_KEY of the settings is another one, which the operator wants. */
    readonly hasOtherKey: boolean,
  ) {}

  /** The file of the database. */
  get database(): StoredFile {
    const found = this.manifest.files.find(({ path }) => path.startsWith('database.'));
    if (found === undefined) throw new Error('The backup is damaged: the manifest names no database');
    return found;
  }

  /** The files of the data folder. */
  get data(): StoredFile[] {
    return this.manifest.files.filter(({ path }) => path.startsWith('data/'));
  }

  /** The content of a file, decrypted and decompressed. */
  read({ path }: StoredFile): Readable {
    const { decrypted, decompressed } = readingSteps(path, this.decrypter);
    const plain = Readable.from(decrypted(createReadStream(join(this.folder, path))), { objectMode: false });
    if (decompressed === null) return plain;
    plain.on('error', (error) => decompressed.destroy(error));
    decompressed.on('close', () => plain.destroy());
    return plain.pipe(decompressed);
  }

  /** The content of a small file. */
  async readText(file: StoredFile): Promise<string> {
    const chunks: Buffer[] = [];
    for await (const chunk of this.read(file)) chunks.push(chunk as Buffer);
    return Buffer.concat(chunks).toString('utf8');
  }
}

/** The name of a file of the data folder. */
export function nameOf({ path }: StoredFile): string {
  return path.slice('data/'.length).replace(ENCRYPTED, '');
}

/**
 * Checks a backup against the software and the settings. Changes nothing.
 *
 * @throws Error in one sentence: no backup, newer, of another kind of database, damaged, an identity that is missing or
 * wrong, another SECRET_KEY
 */
export async function openBackup(config: Readonly<Config>, options: OpenOptions): Promise<OpenedBackup> {
  const { from, progress, signal } = options;
  const manifest = await readManifest(from);
  const { databaseUrl } = config;
  const dialect = databaseUrl === null ? SQLITE : MYSQL;
  const newest = Math.max(...[...steps(SQLITE), ...steps(MYSQL)].map(({ number }) => number));
  if (manifest.schema > newest || isHigherVersion(manifest.software, ownVersion())) throw newer(manifest.software);
  if ((manifest.database === 'sqlite') !== (dialect === SQLITE)) {
    throw new Error(
      databaseUrl === null
        ? 'The backup is of MariaDB, and DATABASE_URL is not set'
        : 'The backup is of the embedded database, and DATABASE_URL is set',
    );
  }
  progress.step('Checking the backup');
  for (const file of manifest.files) await verifyFile(from, file, progress, signal);
  const decrypter = await decrypterFor(from, manifest, options.identity);
  const opened = new OpenedBackup(from, manifest, decrypter, false);
  if (!opened.database.path.includes(manifest.database === 'sqlite' ? '.sqlite.' : '.sql.')) {
    throw new Error('The backup is damaged: its database is not of the kind that the manifest says');
  }
  const isSame = await hasSameKey(config, opened);
  if (!isSame && !options.otherSecretKey) {
    throw new Error(
      'The backup was made with another SECRET_KEY; set that one, or add --other-secret-key, which ends its sessions and its idempotency keys',
    );
  }
  return new OpenedBackup(from, manifest, decrypter, !isSame);
}

async function decrypterFor(from: string, { files }: Manifest, identity: string | null): Promise<Decrypter | null> {
  const encrypted = files.filter(({ path }) => path.endsWith(ENCRYPTED));
  if (encrypted.length === 0) return null;
  if (encrypted.length !== files.length) throw new Error('The backup is damaged: only some of its files are encrypted');
  if (identity === null) throw new Error('The backup is encrypted: name the file of your age identity by --identity');
  const decrypter = await decrypterOf(identity);
  for (const { path } of encrypted) {
    const opens = await opensWith(join(from, path), decrypter);
    if (!opens) throw new Error(`--identity: ${identity} does not open the backup`);
  }
  return decrypter;
}

async function opensWith(path: string, decrypter: Decrypter): Promise<boolean> {
  const { decrypted } = readingSteps(path, decrypter);
  const file = createReadStream(path, { end: HEAD_BYTES });
  try {
    // The first bytes come after the header, which tells whether the identity is one of its recipients.
    for await (const _ of decrypted(file)) return true;
    return true;
  } catch {
    return false;
  } finally {
    file.destroy();
  }
}

/** An embedded database without SECRET_KEY in the settings gets the key of the backup. */
async function hasSameKey({ secretKey }: Readonly<Config>, backup: OpenedBackup): Promise<boolean> {
  const { manifest } = backup;
  const stored = backup.data.find((file) => nameOf(file) === 'secret-key');
  const key = secretKey !== '' || stored === undefined ? secretKey : (await backup.readText(stored)).trim();
  return isSecretKeyOf(manifest.secret_key, key, manifest.installation);
}
