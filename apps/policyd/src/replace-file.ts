import { open, rename } from 'node:fs/promises';

/** Puts a text in the place of a file in one step, readable by this user alone: after a crash there is the old one or the new one. */
export async function replaceFile(path: string, text: string): Promise<void> {
  const draft = `${path}.new`;
  const file = await open(draft, 'w', 0o600);
  try {
    await file.writeFile(text);
    await file.datasync();
  } finally {
    await file.close();
  }
  await rename(draft, path);
}
