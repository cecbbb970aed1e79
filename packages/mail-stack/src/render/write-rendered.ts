import { chown, mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Readers, RenderedFile } from './render-mail-stack.js';

const MODES: Record<Readers, number> = { everyone: 0o644, postfix: 0o640, root: 0o600 };

/**
 * Writes rendered files below a folder, each in one step and never readable by more than its readers. As root, the files that Postfix's
 * processes read belong to the group `postfix` when it exists.
 */
export async function writeRendered(files: readonly RenderedFile[], folder: string): Promise<void> {
  const postfixGroup = process.getuid?.() === 0 ? await groupId('postfix') : null;
  for (const file of files) {
    const path = join(folder, file.path);
    await mkdir(dirname(path), { recursive: true });
    const draft = `${path}.new`;
    await writeFile(draft, file.content, { mode: MODES[file.readers] });
    if (file.readers === 'postfix' && postfixGroup !== null) {
      await chown(draft, 0, postfixGroup);
    }
    await rename(draft, path);
  }
}

/** The number of a group of this machine, or null. */
async function groupId(name: string): Promise<number | null> {
  const groups = await readFile('/etc/group', 'utf8').catch(() => '');
  const line = groups.split('\n').find((entry) => entry.startsWith(`${name}:`));
  return line === undefined ? null : Number(line.split(':')[2]);
}
