// @ts-check
import { availableParallelism } from 'node:os';

/** Node's arguments that run jest with ES modules. */
export const JEST = [
  '--disable-warning=ExperimentalWarning',
  '--experimental-vm-modules',
  'node_modules/jest/bin/jest.js',
];

/** The test files that run at the same time. Half of their time they wait for databases, processes and timers. */
export const WORKERS = availableParallelism() + 2;
/** The same for files whose mail servers or browser take all cores for seconds. */
export const BUSY_WORKERS = Math.max(2, availableParallelism() - 1);

/**
 * Returns Node's arguments for a run of tests.
 * @param {readonly string[]} options The options of jest that were given on the command line.
 * @param {string} resultFile Receives the result as JSON.
 * @param {number} workers Unless the options choose it.
 */
export function jestCommand(options, resultFile, workers = WORKERS) {
  const choosesWorkers = options.some((option) => /^(-w|-i|--maxWorkers|--runInBand)/.test(option));
  const chosen = choosesWorkers ? [] : [`--maxWorkers=${workers}`];
  return [...JEST, '--json', `--outputFile=${resultFile}`, ...chosen, ...options];
}

/** Options that leave open which tests run. Any other one may choose tests, or end a run before its last file. */
const CHOOSES_NO_TESTS = /^(-i|-w\d*|--(runInBand|maxWorkers(=.*)?|runTestsByPath|verbose|silent))$/;

/**
 * Whether a run is of whole test files: all of them, or those that the options name.
 * @param {readonly string[]} options
 */
export function runsWholeFiles(options) {
  return options.every((option) => !option.startsWith('-') || CHOOSES_NO_TESTS.test(option));
}
