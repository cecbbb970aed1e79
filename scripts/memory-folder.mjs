// @ts-check
// A folder in memory for the temporary files of tests.
import { spawnSync } from 'node:child_process';
import { chmod, mkdtemp, rm, statfs, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { guardFolder } from './processes.mjs';

/** The file system in memory that Linux mounts for programs. A container often has one of 64 MB. */
const MEMORY = '/dev/shm';

/** Five times what `npm test` had there at most. */
const ROOM = 3 * 2 ** 30;

/**
 * Makes a folder in memory, open to every account as /tmp is; undefined where there is none in which files can be run,
 * or less room than the tests may need. It is removed when this process ends, also after SIGKILL.
 *
 * In it a new database on MariaDB takes a third of the processor time and a quarter of the time.
 * @param {object} [limits]
 * @param {string} [limits.parent]
 * @param {number} [limits.room] Bytes.
 */
export async function memoryFolder({ parent = MEMORY, room = ROOM } = {}) {
  const { bavail, bsize } = await statfs(parent).catch(() => ({ bavail: 0, bsize: 0 }));
  // Files in memory take from what the processes may have.
  if (bavail * bsize < room || process.availableMemory() < 2 * room) return undefined;
  const folder = await mkdtemp(join(parent, 'mailstead-')).catch(() => undefined);
  if (folder === undefined) return undefined;
  guardFolder(folder);
  await chmod(folder, 0o1777);
  if (await runsPrograms(folder)) return folder;
  await rm(folder, { recursive: true });
  return undefined;
}

/** @param {string} folder */
async function runsPrograms(folder) {
  const program = join(folder, 'program');
  await writeFile(program, '#!/bin/sh\n', { mode: 0o700 });
  const { status } = spawnSync(program);
  await rm(program);
  return status === 0;
}
