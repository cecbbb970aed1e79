// @ts-check
// Which test files passed for which sources. A run that was cut off goes on where it stopped.
import { createHash } from 'node:crypto';
import { appendFileSync, mkdirSync } from 'node:fs';
import { readdir, readFile, rm, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { ROOT } from './processes.mjs';
import { readsDocuments } from './sources.mjs';

/** Has the records of the checkout. */
export const RECORDS = join(ROOT, '.npm-test/passed');
const KEPT_MS = 7 * 86_400_000;

/**
 * Returns the path of the record of the files that passed under equal circumstances.
 * @param {Record<string, unknown>} circumstances Everything on which the result of a test may depend.
 * @param {string} folder
 */
export function recordOf(circumstances, folder) {
  return join(folder, `${createHash('sha256').update(JSON.stringify(circumstances)).digest('hex').slice(0, 40)}.txt`);
}

/**
 * @param {string} record
 * @returns {Promise<Set<string>>} The paths in the repository.
 */
export async function readPassed(record) {
  const text = await readFile(record, 'utf8').catch(() => '');
  // The line that a killed process was writing has no end.
  return new Set(text.split('\n').slice(0, -1));
}

/**
 * Notes that a file passed. One that reads documents is not noted, because the sources of a record are without them.
 * @param {string} record
 * @param {string} root Of the repository.
 * @param {string} file Its path in the repository.
 */
export function notePassed(record, root, file) {
  if (readsDocuments(join(root, file))) return;
  mkdirSync(dirname(record), { recursive: true });
  appendFileSync(record, `${file}\n`);
}

/**
 * Removes the records that nothing was added to for a week.
 * @param {string} folder
 */
export async function removeOldRecords(folder, now = Date.now()) {
  for (const name of await readdir(folder).catch(() => [])) {
    const path = join(folder, name);
    if (now - (await stat(path)).mtimeMs > KEPT_MS) await rm(path, { force: true });
  }
}
