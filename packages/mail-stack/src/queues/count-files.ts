import { opendir } from 'node:fs/promises';
import { join } from 'node:path';

/** Where counting ends: at so many files, or when `signal` is aborted. */
export interface CountBounds {
  most: number;
  signal?: AbortSignal;
}

/**
 * Counts the files below a folder. Large queues have subfolders. A folder that is removed meanwhile counts 0.
 *
 * @throws Error when the folder cannot be read.
 */
export async function countFiles(folder: string, { most, signal }: CountBounds): Promise<number> {
  let count = 0;
  for await (const entry of await opendir(folder)) {
    if (count >= most || signal?.aborted === true) break;
    count += entry.isDirectory()
      ? await countFiles(join(folder, entry.name), { most: most - count, ...(signal && { signal }) })
      : 1;
  }
  return Math.min(count, most);
}
