import { constants, type FileHandle, open, rename, unlink } from 'node:fs/promises';
import { dirname } from 'node:path';

const { O_APPEND, O_CREAT, O_TRUNC, O_WRONLY } = constants;

export function isDiskFull(error: unknown): boolean {
  const code = (error as NodeJS.ErrnoException | null)?.code;
  return code === 'ENOSPC' || code === 'EDQUOT';
}

/** Puts a text in the place of a file in one step, readable by this user alone: after a crash there is the old one or the new one. */
export async function replaceFile(path: string, text: string): Promise<void> {
  const file = await replaceOpenFile(path, text);
  await file.close();
}

/** The same, and leaves the new file open to append to. */
export async function replaceOpenFile(path: string, text: string): Promise<FileHandle> {
  const draft = `${path}.new`;
  const file = await open(draft, O_WRONLY | O_CREAT | O_TRUNC | O_APPEND, 0o600);
  try {
    await file.writeFile(text);
    await file.datasync();
    await rename(draft, path);
    // Where that fails the new file is in its place all the same, and goes on being used.
    await syncFolder(dirname(path)).catch(() => undefined);
    return file;
  } catch (error) {
    await file.close();
    // What was written of it would take room on a disk that is full.
    await unlink(draft).catch(() => undefined);
    throw error;
  }
}

/** Until the folder is on the disk, a crash may bring the old file back, without what was appended to the new one. */
async function syncFolder(path: string): Promise<void> {
  const folder = await open(path, constants.O_RDONLY);
  try {
    await folder.sync();
  } finally {
    await folder.close();
  }
}
