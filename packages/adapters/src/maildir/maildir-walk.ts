import type { Dirent, Stats } from 'node:fs';
import { lstat, opendir } from 'node:fs/promises';
import { join } from 'node:path';

/** A message file of a Maildir. */
export interface MessageFile {
  path: string;
  bytes: number;
  /** Milliseconds since the epoch. */
  savedAt: number;
}

const FILES_AT_ONCE = 16;
const DIRECTORY_BUFFER = 256;

/**
 * The time a message was saved in its folder, from the ctime of the file, milliseconds since the epoch. The mtime is
 * not usable: an IMAP APPEND sets it to the date of the message. A changed flag or a chown sets the ctime again, so a
 * message may appear newer than it is, but never older.
 */
export function savedAt({ ctimeMs }: Pick<Stats, 'ctimeMs'>): number {
  return ctimeMs;
}

/**
 * Visits all messages of a Maildir++: `cur` and `new` of the INBOX and of every `.Folder`. Directory entries are
 * streamed, so memory does not grow with the mailbox. Symbolic links are not followed. Files that disappear during the
 * walk are skipped (Dovecot renames files). A missing Maildir has no messages.
 */
export async function walkMaildir(maildir: string, visit: (file: MessageFile) => Promise<void>): Promise<void> {
  if (!(await isDirectory(maildir))) return;
  await walkFolder(maildir, visit);
  for await (const entry of entriesOf(maildir)) {
    if (entry.isDirectory() && entry.name.startsWith('.')) await walkFolder(join(maildir, entry.name), visit);
  }
}

/** @returns false for a symbolic link to a directory, and for a missing path */
export async function isDirectory(path: string): Promise<boolean> {
  return (await lstatOrNull(path))?.isDirectory() ?? false;
}

async function walkFolder(folder: string, visit: (file: MessageFile) => Promise<void>): Promise<void> {
  for (const part of ['cur', 'new']) {
    const directory = join(folder, part);
    if (await isDirectory(directory)) await walkMessages(directory, visit);
  }
}

async function walkMessages(directory: string, visit: (file: MessageFile) => Promise<void>): Promise<void> {
  let paths: string[] = [];
  const visitAll = async (): Promise<void> => {
    await Promise.all(paths.map((path) => visitFile(path, visit)));
    paths = [];
  };
  for await (const entry of entriesOf(directory)) {
    if (!entry.isFile()) continue;
    paths.push(join(directory, entry.name));
    if (paths.length === FILES_AT_ONCE) await visitAll();
  }
  await visitAll();
}

async function visitFile(path: string, visit: (file: MessageFile) => Promise<void>): Promise<void> {
  const stats = await lstatOrNull(path);
  if (stats?.isFile() === true) await visit({ path, bytes: stats.size, savedAt: savedAt(stats) });
}

async function* entriesOf(directory: string): AsyncIterable<Dirent> {
  try {
    yield* await opendir(directory, { bufferSize: DIRECTORY_BUFFER });
  } catch (error) {
    if (!isMissing(error)) throw error;
  }
}

async function lstatOrNull(path: string): Promise<Stats | null> {
  try {
    return await lstat(path);
  } catch (error) {
    if (isMissing(error)) return null;
    throw error;
  }
}

/** Does not use `instanceof`: an error of node:fs may come from another realm. */
export function isMissing(error: unknown): boolean {
  return typeof error === 'object' && error !== null && 'code' in error && error.code === 'ENOENT';
}
