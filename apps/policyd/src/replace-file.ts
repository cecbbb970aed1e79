import { constants, type FileHandle, open, rename } from 'node:fs/promises';

const { O_APPEND, O_CREAT, O_TRUNC, O_WRONLY } = constants;

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
    return file;
  } catch (error) {
    await file.close();
    throw error;
  }
}
