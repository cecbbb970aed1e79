import { constants, type FileHandle, open, rename, unlink } from 'node:fs/promises';
import { dirname } from 'node:path';

const { O_APPEND, O_CREAT, O_TRUNC, O_WRONLY } = constants;

export function isDiskFull(error: unknown): boolean {
  const code = (error as NodeJS.ErrnoException | null)?.code;
  return code === 'ENOSPC' || code === 'EDQUOT';
}

/**
 * Replaces a file in one step; only this user can read the new one. After a crash there is the old file or the new
 * file.
 */
export async function replaceFile(path: string, text: string): Promise<void> {
  const file = await replaceOpenFile(path, text);
  await file.close();
}

/** Replaces a file like `replaceFile`, and returns it open for appending. */
export async function replaceOpenFile(path: string, text: string): Promise<FileHandle> {
  const draft = `${path}.new`;
  const file = await open(draft, O_WRONLY | O_CREAT | O_TRUNC | O_APPEND, 0o600);
  try {
    await file.writeFile(text);
    await file.datasync();
    await rename(draft, path);
    // When this fails, the new file is in its place nevertheless and is used.
    await syncFolder(dirname(path)).catch(() => undefined);
    return file;
  } catch (error) {
    await file.close();
    // A part of it would take space on a full disk.
    await unlink(draft).catch(() => undefined);
    throw error;
  }
}

/** Syncs a folder. Before that, a crash may bring back the old file, without what was appended to the new one. */
async function syncFolder(path: string): Promise<void> {
  const folder = await open(path, constants.O_RDONLY);
  try {
    await folder.sync();
  } finally {
    await folder.close();
  }
}
