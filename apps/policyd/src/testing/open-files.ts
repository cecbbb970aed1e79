import { readdir, readlink } from 'node:fs/promises';

const DESCRIPTORS = '/proc/self/fd';

/** @returns the paths in a folder that this process has open; none without /proc. */
export async function openFilesIn(folder: string): Promise<string[]> {
  const descriptors = await readdir(DESCRIPTORS).catch(() => []);
  const paths = await Promise.all(descriptors.map((name) => readlink(`${DESCRIPTORS}/${name}`).catch(() => '')));
  return paths.filter((path) => path === folder || path.startsWith(`${folder}/`)).sort();
}
