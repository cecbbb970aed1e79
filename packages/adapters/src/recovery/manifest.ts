import { readFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { readTime } from '@mailstead/core/read-time';

export const MANIFEST = 'manifest.json';
/** Rises when a former release could not restore the files any more. */
export const FORMAT = 1;

const COUNTED = ['partners', 'api_keys', 'domains', 'mailboxes', 'aliases'] as const;
export type BackupCounts = Record<(typeof COUNTED)[number], number>;

export interface StoredFile {
  /** Below the folder of the backup, as it is stored: an encrypted one ends in `.age`. */
  path: string;
  bytes: number;
  sha256: string;
}

/** What `manifest.json` of a backup says. It is never encrypted. */
export interface Manifest {
  format: number;
  /** The version of the software that made the backup. */
  software: string;
  /** The number of the newest migration of the database. */
  schema: number;
  database: 'mariadb' | 'sqlite';
  database_version: string;
  /** The id of the installation. */
  installation: string;
  taken_at: string;
  /** The newest position that an event had. */
  event_position: number;
  counts: BackupCounts;
  /** A fingerprint of SECRET_KEY (`secretKeyPrint`). */
  secret_key: string;
  files: StoredFile[];
}

const PATHS = /^(database\.(sql|sqlite)\.gz|data\/[A-Za-z0-9_-][A-Za-z0-9._-]*)(\.age)?$/;

/** @throws Error in one sentence, when the folder has no manifest or an unreadable one, or a later release made it */
export async function readManifest(folder: string): Promise<Manifest> {
  const text = await readFile(join(folder, MANIFEST), 'utf8').catch(() => null);
  if (text === null) throw new Error(`${folder} is no backup: it has no ${MANIFEST}`);
  const found = parsed(text);
  if (found === null || typeof found.format !== 'number')
    throw new Error(`${folder} is no backup: ${MANIFEST} is damaged`);
  if (found.format > FORMAT) throw newer(String(found.software));
  if (!isManifest(found)) throw new Error(`The backup is damaged: ${MANIFEST} is not complete`);
  return found;
}

export function newer(software: string): Error {
  return new Error(`The backup is newer than this software (${ownVersion()}): release ${software} made it`);
}

/** The version of this software. */
export function ownVersion(): string {
  const { version } = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8')) as {
    version: string;
  };
  return version;
}

/** Whether the version `a` is higher than `b`, by its three numbers. */
export function isHigherVersion(a: string, b: string): boolean {
  const [left, right] = [numbersOf(a), numbersOf(b)];
  const index = left.findIndex((number, place) => number !== right[place]);
  return index !== -1 && (left[index] ?? 0) > (right[index] ?? 0);
}

function numbersOf(version: string): number[] {
  const numbers = version.split('.').map((part) => Number.parseInt(part, 10) || 0);
  return [numbers[0] ?? 0, numbers[1] ?? 0, numbers[2] ?? 0];
}

function parsed(text: string): Partial<Manifest> | null {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null ? value : null;
  } catch {
    return null;
  }
}

function isManifest(found: Partial<Manifest>): found is Manifest {
  const { software, schema, database, installation, taken_at, event_position, counts, secret_key, files } = found;
  return (
    [software, installation, secret_key, found.database_version].every((text) => typeof text === 'string') &&
    [schema, event_position].every((number) => Number.isSafeInteger(number)) &&
    (database === 'mariadb' || database === 'sqlite') &&
    typeof taken_at === 'string' &&
    readTime(taken_at) !== null &&
    typeof counts === 'object' &&
    Array.isArray(files) &&
    files.length > 0 &&
    files.every(isStoredFile)
  );
}

function isStoredFile(file: Partial<StoredFile> | null): boolean {
  return (
    file !== null &&
    PATHS.test(file.path ?? '') &&
    Number.isSafeInteger(file.bytes) &&
    /^[0-9a-f]{64}$/.test(file.sha256 ?? '')
  );
}
