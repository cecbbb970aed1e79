// @ts-check
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import { runsWholeFiles } from './jest-command.mjs';
import { failureLines, passedAgain, relativePath } from './jest-result.mjs';

/** More failures than these are not by chance. */
const FILES_RUN_AGAIN = 3;

/** @typedef {import('./jest-result.mjs').JestResult} JestResult */
/** @typedef {import('./jest-result.mjs').FileResult} FileResult */
/** @typedef {{ code: number, result: JestResult | undefined }} JestRun `result` is undefined when jest wrote none. */

/**
 * @typedef {object} Outcome
 * @property {number} code
 * @property {readonly FileResult[] | undefined} files Undefined when jest wrote no result.
 * @property {string[]} failures A line for each failed test.
 */

/**
 * Runs jest, then once more the files that failed. A file that passes alone is unsteady: it does not fail the run, and
 * is named with the reason of its failure.
 * @param {(options: readonly string[]) => Promise<JestRun>} run
 * @param {readonly string[]} options
 * @param {object} around
 * @param {() => boolean} around.isStopped Whether a stop signal came.
 * @param {(file: FileResult) => Promise<void>} around.keep Receives each unsteady file as it failed.
 * @returns {Promise<Outcome>}
 */
export async function runTwice(run, options, { isStopped, keep }) {
  const first = await run(options);
  const files = first.result?.testResults;
  const failed = (files ?? []).filter(({ status }) => status === 'failed');
  const once = { code: first.code, files, failures: failureLines('failed', failed) };
  // Another exit code is not that of failed tests.
  if (first.code !== 1 || files === undefined || first.result?.wasInterrupted || isStopped()) return once;
  if (failed.length === 0 || failed.length > FILES_RUN_AGAIN || !runsWholeFiles(options)) return once;

  const paths = failed.map(({ name }) => name);
  console.log(`\nThe files that failed, once more and alone: ${paths.map(relativePath).join(', ')}`);
  const { code, result } = await run(['-i', '--runTestsByPath', ...paths]);
  if (result === undefined || result.wasInterrupted || isStopped()) return once;
  const unsteady = failed.filter((file) => passedAgain(file, result) !== undefined);
  const red = failed.filter((file) => !unsteady.includes(file));
  for (const file of unsteady) await keep(file);
  return {
    code: red.length === 0 ? code : first.code,
    files: files.map((file) => passedAgain(file, result) ?? file),
    failures: [...failureLines('failed', red), ...failureLines('unsteady', unsteady)],
  };
}

/**
 * Writes the whole failure of an unsteady file. A later one of the same file, in the same place, replaces it.
 * @param {string} folder
 * @param {FileResult} file
 * @param {{ place: string, seed: number }} run `place` is where it ran: the version of Node, the database of HTTP.
 */
export async function keepFailure(folder, file, { place, seed }) {
  await mkdir(folder, { recursive: true });
  const subject = `${relativePath(file.name)} on ${place}`;
  const head = `${new Date().toISOString()} ${subject}, seed ${seed}`;
  const path = join(folder, `${subject.replace(/[^\w.]+/g, '-')}.txt`);
  await writeFile(path, `${head}\n\n${stripVTControlCharacters(file.message)}\n`);
}
