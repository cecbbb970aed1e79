// @ts-check
import { availableParallelism } from 'node:os';

/** Node's arguments that run jest with ES modules. */
export const JEST = [
  '--disable-warning=ExperimentalWarning',
  '--experimental-vm-modules',
  // Every test file loads its modules anew: with a larger young generation, most of them are dropped without being
  // copied.
  '--max-semi-space-size=64',
  'node_modules/jest/bin/jest.js',
];

/**
 * Returns Node's arguments for a run of tests. The default number of workers is the number of cores minus one, at least
 * two. Of slow tests it is twice as many, because these wait for servers and processes most of their time.
 * @param {readonly string[]} options The options of jest that were given on the command line.
 * @param {string} resultFile Receives the result as JSON.
 * @param {'slow' | 'quick'} tests
 */
export function jestCommand(options, resultFile, tests = 'quick') {
  const choosesWorkers = options.some((option) => /^(-w|-i|--maxWorkers|--runInBand)/.test(option));
  const workers = Math.max(2, availableParallelism() - 1) * (tests === 'slow' ? 2 : 1);
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
