import { chmodSync, closeSync, openSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';

const OWNER_ONLY = 0o600;
const GROUP_AND_OTHERS = 0o077;
const SQLITE_SIDE_FILES = ['', '-wal', '-shm', '-journal'];

/**
 * Removes the permissions of group and others from a file that exists. Does nothing when this process may not do so.
 */
export function makePrivate(path: string): void {
  try {
    if (isOpenToOthers(path)) chmodSync(path, OWNER_ONLY);
  } catch {
    // Another user owns the file, or the file system is read-only. `openToOthers` reports the file at the start.
  }
}

/**
 * Creates the empty file of an SQLite database with mode 0600, and makes the existing files of the database private.
 * SQLite gives new side files the mode of the database. Without this its files get the mode of the umask, often 0644.
 */
export function preparePrivateDatabase(path: string): void {
  for (const suffix of SQLITE_SIDE_FILES) makePrivate(path + suffix);
  closeSync(openSync(path, 'a', OWNER_ONLY));
}

/** @returns the folder and its files that group or others have permissions on, as names; the folder itself is `.` */
export function openToOthers(folder: string): string[] {
  return ['.', ...readdirSync(folder)].filter((name) => isOpenToOthers(join(folder, name)));
}

function isOpenToOthers(path: string): boolean {
  const stats = statSync(path, { throwIfNoEntry: false });
  return stats !== undefined && (stats.mode & GROUP_AND_OTHERS) !== 0;
}
