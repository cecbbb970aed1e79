// @ts-check
// The times of the test files of one run, and what is said about them.
import { readFile } from 'node:fs/promises';

/** The file in a run's folder to which `timed-runner.mjs` appends one JSON line for each test file. */
export const TIMES_FILE = 'times.jsonl';

/**
 * The largest share of the processor time of all quick test files that one may take, so that the limit is the same on
 * every machine. A heavier one is sampled, or slow.
 */
const LARGEST_SHARE = 1 / 25;

/** @typedef {{ file: string, seconds: number, cpuSeconds: number }} FileTime */

/**
 * @param {string} path Of the file of times.
 * @returns {Promise<FileTime[]>} In the order in which the files ended; none when no file ran.
 */
export async function readTimes(path) {
  const text = await readFile(path, 'utf8').catch(() => '');
  return text
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line));
}

/**
 * Returns the ten slowest files and the sum of all, one line each.
 * @param {readonly FileTime[]} times
 */
export function slowestFiles(times) {
  const slowest = [...times].sort((left, right) => right.seconds - left.seconds).slice(0, 10);
  const cpuSeconds = times.reduce((sum, time) => sum + time.cpuSeconds, 0);
  return [
    `The slowest of ${times.length} files, which took ${cpuSeconds.toFixed(0)} CPU-seconds without the servers:`,
    ...slowest.map(
      ({ file, seconds, cpuSeconds: cpu }) =>
        `${seconds.toFixed(1).padStart(6)} s ${cpu.toFixed(1).padStart(6)} CPU-s  ${file}`,
    ),
  ];
}

/**
 * Returns a line for each file that took too much processor time.
 * @param {readonly FileTime[]} times Of all quick test files.
 */
export function tooHeavy(times) {
  const most = LARGEST_SHARE * times.reduce((sum, time) => sum + time.cpuSeconds, 0);
  return times
    .filter(({ cpuSeconds }) => cpuSeconds > most)
    .map(
      ({ file, cpuSeconds }) =>
        `${file} took ${cpuSeconds.toFixed(1)} CPU-seconds, more than a 25th of all (${most.toFixed(1)}): sample it, or make it slow`,
    );
}
