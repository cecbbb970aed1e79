import { open, rename, unlink } from 'node:fs/promises';
import { dirname } from 'node:path';

/** Replaces a file: after a crash it has its old or its new content. Only this user can read it. */
export async function replaceFile(path: string, text: string): Promise<void> {
  const draft = `${path}.new`;
  try {
    const file = await open(draft, 'w', 0o600);
    try {
      await file.writeFile(text);
      await file.sync();
    } finally {
      await file.close();
    }
    await rename(draft, path);
  } catch (error) {
    // An incomplete file would take space on a full disk.
    await unlink(draft).catch(() => undefined);
    throw error;
  }
  const folder = await open(dirname(path), 'r');
  try {
    await folder.sync();
  } finally {
    await folder.close();
  }
}
