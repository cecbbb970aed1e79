import { chmod, chown, mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Readers, RenderedFile } from './render-mail-stack.js';

/** The mode of a file by its readers. Only root may write it. */
export const MODES: Record<Readers, number> = { everyone: 0o644, postfix: 0o640, root: 0o600 };
const FOLDER_MODE = 0o755;

/**
 * Writes rendered files below a folder, each atomically. Only its readers can read a file, with any umask. When run as
 * root, the files for Postfix get the group `postfix`, if it exists. The subfolders have mode 0755, because `cp -a`
 * copies their modes to /etc.
 */
export async function writeRendered(files: readonly RenderedFile[], folder: string): Promise<void> {
  const postfixGroup = process.getuid?.() === 0 ? await groupId('postfix') : null;
  for (const file of files) {
    const path = join(folder, file.path);
    await makeFolders(folder, dirname(file.path));
    const draft = `${path}.new`;
    await writeFile(draft, file.content, { mode: MODES[file.readers] });
    if (file.readers === 'postfix' && postfixGroup !== null) await chown(draft, 0, postfixGroup);
    await chmod(draft, MODES[file.readers]);
    await rename(draft, path);
  }
}

/** Creates `path` below `folder` with mode 0755. The mode of `folder` does not change. */
async function makeFolders(folder: string, path: string): Promise<void> {
  await mkdir(join(folder, path), { recursive: true });
  for (let below = path; below !== '.'; below = dirname(below)) await chmod(join(folder, below), FOLDER_MODE);
}

/** Returns the id of a group of this machine; null when it does not exist. */
export async function groupId(name: string): Promise<number | null> {
  const groups = await readFile('/etc/group', 'utf8').catch(() => '');
  const line = groups.split('\n').find((entry) => entry.startsWith(`${name}:`));
  return line === undefined ? null : Number(line.split(':')[2]);
}
