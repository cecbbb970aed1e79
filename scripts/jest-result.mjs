// @ts-check
// What jest's result file says, as `npm test` prints it.
import { stripVTControlCharacters } from 'node:util';
import { ROOT } from './processes.mjs';

/** What the end of a run shows of failures: the number of tests, and the characters of each message. */
const TESTS_SHOWN = 20;
const MESSAGE_SHOWN = 300;

/**
 * The part of jest's result file that is read here.
 * @typedef {object} JestResult
 * @property {number} numPassedTests
 * @property {number} numFailedTests
 * @property {number} numPendingTests
 * @property {number} numTodoTests
 * @property {number} numRuntimeErrorTestSuites
 * @property {boolean} wasInterrupted
 * @property {FileResult[]} testResults
 */

/**
 * @typedef {object} FileResult
 * @property {string} name The absolute path.
 * @property {string} status `passed`, or `focused` when some of its tests were skipped; `skipped`; `failed`.
 * @property {string} message Every failure as jest prints it; empty when nothing failed.
 * @property {{ status: string, fullName: string, failureMessages: string[] }[]} assertionResults
 */

/** @param {JestResult} result */
export function failedFiles({ testResults }) {
  return testResults.filter(({ status }) => status === 'failed');
}

/**
 * Whether a file ran and none of its tests failed.
 * @param {JestResult} result
 * @param {string} name
 */
export function passes({ testResults }, name) {
  return testResults.some((file) => file.name === name && ['passed', 'focused'].includes(file.status));
}

/**
 * Returns a run's counts, with those of a second run of the files that failed in place of their first ones.
 * @param {JestResult} first
 * @param {JestResult} second Of all files that failed.
 * @returns {JestResult}
 */
export function withSecondRun(first, second) {
  const steady = first.testResults.filter(({ status }) => status !== 'failed');
  /** @param {string} wanted */
  const count = (wanted) =>
    steady.flatMap(({ assertionResults }) => assertionResults).filter(({ status }) => status === wanted).length;
  return {
    ...second,
    numPassedTests: count('passed') + second.numPassedTests,
    numPendingTests: count('pending') + second.numPendingTests,
    numTodoTests: count('todo') + second.numTodoTests,
    testResults: [...steady, ...second.testResults],
  };
}

/**
 * Returns a line for each failed test, and for each file that failed outside its tests:
 * `<word>: <file> › <test>: <first line of the failure>`. A run prints them at its end, where they are found without a
 * search through all of its output.
 * @param {'failed' | 'unsteady'} word
 * @param {readonly FileResult[]} files
 */
export function failureLines(word, files) {
  const lines = files.flatMap(({ name, message, assertionResults }) => {
    const file = relativePath(name);
    const failed = assertionResults.filter(({ status }) => status === 'failed');
    // A file may fail before its first test, and after its last one.
    if (failed.length === 0) return [`${word}: ${file}: ${firstLine(message)}`];
    return failed.map((test) => `${word}: ${file} › ${test.fullName}: ${firstLine(test.failureMessages.join('\n'))}`);
  });
  const more = lines.length - TESTS_SHOWN;
  return more > 0 ? [...lines.slice(0, TESTS_SHOWN), `${word}: and ${more} more tests`] : lines;
}

/**
 * Returns the path of a test file in the repository.
 * @param {string} name
 */
export function relativePath(name) {
  return name.startsWith(ROOT) ? name.slice(ROOT.length) : name;
}

/** @param {string} message */
function firstLine(message) {
  const lines = stripVTControlCharacters(message)
    .split('\n')
    .map((line) => line.trim());
  // Lines with a dot have jest's words or the name of the test.
  return (lines.find((line) => line !== '' && !line.startsWith('●')) ?? '').slice(0, MESSAGE_SHOWN);
}

/**
 * Returns a one-line summary of a run.
 * @param {JestResult | undefined} result Undefined when jest wrote none.
 */
export function resultSentence(result) {
  if (result === undefined) return 'jest ended without a result';
  const skipped = result.numPendingTests + result.numTodoTests;
  const broken = result.numRuntimeErrorTestSuites;
  return [
    `${result.numPassedTests} passed, ${result.numFailedTests} failed`,
    skipped > 0 ? `, ${skipped} skipped` : '',
    broken > 0 ? `, ${broken} files did not run` : '',
  ].join('');
}
