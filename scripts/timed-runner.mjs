// @ts-check
// jest's own runner of a test file, which also notes the file's time, its processor time and that it passed.
import { appendFileSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join, relative } from 'node:path';
import { notePassed } from './passed-files.mjs';
import { TIMES_FILE } from './test-times.mjs';

/** @typedef {{ numPassingTests: number, numFailingTests: number, testExecError?: unknown }} Outcome */
/** @typedef {(...given: unknown[]) => Promise<Outcome>} Runner */

const require = createRequire(import.meta.url);
/** @type {{ default: Runner }} */
const { default: runFile } = require('jest-circus/runner');

/** Clock ticks a second in /proc, the same on every Linux. */
const TICKS_PER_SECOND = 100;

/**
 * Runs one test file, from its first import to the end of its last test. A worker runs one file at a time.
 * @param {unknown} globalConfig
 * @param {{ rootDir: string }} config
 * @param {unknown} environment
 * @param {unknown} runtime
 * @param {string} path
 * @param {unknown[]} rest
 */
export default async function timedRunner(globalConfig, config, environment, runtime, path, ...rest) {
  const folder = process.env.MAILSTEAD_TEST_FOLDER;
  const record = process.env.MAILSTEAD_TEST_RECORD;
  const file = relative(config.rootDir, path);
  const since = process.cpuUsage();
  const children = secondsOfChildren();
  const start = performance.now();
  try {
    const outcome = await runFile(globalConfig, config, environment, runtime, path, ...rest);
    const { numPassingTests, numFailingTests, testExecError } = outcome;
    const passed = numPassingTests > 0 && numFailingTests === 0 && testExecError === undefined;
    if (passed && record !== undefined) notePassed(record, config.rootDir, file);
    return outcome;
  } finally {
    const { user, system } = process.cpuUsage(since);
    const line = {
      file,
      seconds: (performance.now() - start) / 1000,
      cpuSeconds: (user + system) / 1e6 + secondsOfChildren() - children,
    };
    if (folder !== undefined) appendFileSync(join(folder, TIMES_FILE), `${JSON.stringify(line)}\n`);
  }
}

/** Returns the processor time of the child processes that ended and were waited for; 0 outside Linux. */
function secondsOfChildren() {
  try {
    const stat = readFileSync('/proc/self/stat', 'utf8');
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    return (Number(fields[13]) + Number(fields[14])) / TICKS_PER_SECOND;
  } catch {
    return 0;
  }
}
