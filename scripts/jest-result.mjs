// @ts-check
// What jest's result file says, as `npm test` prints it.
import { stripVTControlCharacters } from 'node:util';
import { ROOT } from './processes.mjs';

/** What the end of a run shows of failures: the number of tests, and the characters of each message. */
const TESTS_SHOWN = 20;
const MESSAGE_SHOWN = 300;

/**
 * The part of jest's result file that is read here.
 * @typedef {{ wasInterrupted: boolean, testResults: FileResult[] }} JestResult
 */

/**
 * @typedef {object} FileResult
 * @property {string} name The absolute path.
 * @property {string} status `passed`, or `focused` when some of its tests were skipped; `skipped`; `failed`.
 * @property {string} message Every failure as jest prints it; empty when nothing failed.
 * @property {{ status: string, fullName: string, failureMessages: string[] }[]} assertionResults
 */

/**
 * Returns the result of the second run of a file, when it passes there: each test that failed ran and passed, and no
 * other failed.
 * @param {FileResult} failed
 * @param {JestResult} second
 */
export function passedAgain(failed, { testResults }) {
  const again = testResults.find(({ name }) => name === failed.name);
  if (again === undefined || !['passed', 'focused'].includes(again.status)) return undefined;
  const passed = new Set(testsOf(again, 'passed').map(({ fullName }) => fullName));
  return testsOf(failed, 'failed').every(({ fullName }) => passed.has(fullName)) ? again : undefined;
}

/**
 * @param {FileResult} file
 * @param {string} wanted
 */
function testsOf({ assertionResults }, wanted) {
  return assertionResults.filter(({ status }) => status === wanted);
}

/**
 * Returns a line for each failed test, and for each file that failed outside its tests:
 * `<word>: <file> › <test>: <first line of the failure>`. A run prints them at its end, where they are found without a
 * search through all of its output.
 * @param {'failed' | 'unsteady'} word
 * @param {readonly FileResult[]} files
 */
export function failureLines(word, files) {
  const lines = files.flatMap((result) => {
    const file = relativePath(result.name);
    const failed = testsOf(result, 'failed');
    // A file may fail before its first test, and after its last one.
    if (failed.length === 0) return [`${word}: ${file}: ${firstLine(result.message)}`];
    return failed.map(({ fullName, failureMessages }) => {
      const test = fullName.replace(/\s+/g, ' ');
      return `${word}: ${file} › ${test}: ${firstLine(failureMessages.join('\n'))}`;
    });
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
 * @param {readonly FileResult[] | undefined} files Undefined when jest wrote no result.
 */
export function resultSentence(files) {
  if (files === undefined) return 'jest ended without a result';
  /** @param {string} status */
  const count = (status) => files.flatMap((file) => testsOf(file, status)).length;
  const skipped = count('pending') + count('todo');
  const broken = files.filter((file) => file.status === 'failed' && testsOf(file, 'failed').length === 0).length;
  return [
    `${count('passed')} passed, ${count('failed')} failed`,
    skipped > 0 ? `, ${skipped} skipped` : '',
    broken > 0 ? `, ${broken} files failed outside their tests` : '',
  ].join('');
}
