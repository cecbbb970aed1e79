import { constants, type FileHandle, open, rename, unlink } from 'node:fs/promises';
import { dirname } from 'node:path';

const { O_APPEND, O_CREAT, O_TRUNC, O_WRONLY } = constants;

export function isDiskFull(error: unknown): boolean {
  const code = (error as NodeJS.ErrnoException | null)?.code;
  return code === 'ENOSPC' || code === 'EDQUOT';
}

/**
 * Replaces a file atomically: after a crash, the file has its old or its new content. Only this user can read the new
 * file.
 */
export async function replaceFile(path: string, text: string): Promise<void> {
  const file = await replaceOpenFile(path, text);
  await file.close();
}

/** Replaces a file like `replaceFile`. @returns the new file, open for appending. */
export async function replaceOpenFile(path: string, text: string): Promise<FileHandle> {
  const draft = `${path}.new`;
  const file = await open(draft, O_WRONLY | O_CREAT | O_TRUNC | O_APPEND, 0o600);
  try {
    await file.writeFile(text);
    await file.datasync();
    await rename(draft, path);
    // The new file is used also when this fails.
    await syncFolder(dirname(path)).catch(() => undefined);
    return file;
  } catch (error) {
    await file.close();
    // An incomplete file would take space on a full disk.
    await unlink(draft).catch(() => undefined);
    throw error;
  }
}

/** Syncs a folder. Without it, a crash may restore the old file and lose the lines appended to the new one. */
async function syncFolder(path: string): Promise<void> {
  const folder = await open(path, constants.O_RDONLY);
  try {
    await folder.sync();
  } finally {
    await folder.close();
  }
}
