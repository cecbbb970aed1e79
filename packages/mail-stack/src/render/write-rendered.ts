import { chmod, chown, mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Readers, RenderedFile } from './render-mail-stack.js';

const MODES: Record<Readers, number> = { everyone: 0o644, postfix: 0o640, root: 0o600 };
const FOLDER_MODE = 0o755;

/**
 * Writes rendered files below a folder, each in one step and readable by its readers alone, whatever the umask. As
 * root, the files that Postfix's processes read belong to the group `postfix` when it exists. The folders below are
 * everybody's to enter, as those of /etc that `cp -a` copies them to must be.
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

/** Makes `path` below `folder` for everybody to enter. The folder itself keeps the mode that its owner gave it. */
async function makeFolders(folder: string, path: string): Promise<void> {
  await mkdir(join(folder, path), { recursive: true });
  for (let below = path; below !== '.'; below = dirname(below)) await chmod(join(folder, below), FOLDER_MODE);
}

/** The number of a group of this machine, or null. */
async function groupId(name: string): Promise<number | null> {
  const groups = await readFile('/etc/group', 'utf8').catch(() => '');
  const line = groups.split('\n').find((entry) => entry.startsWith(`${name}:`));
  return line === undefined ? null : Number(line.split(':')[2]);
}
