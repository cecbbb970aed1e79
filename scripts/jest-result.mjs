// @ts-check
import { stripVTControlCharacters } from 'node:util';

/** What the end of a run shows of failures: the number of tests, and the characters of each message. */
const FAILURES_SHOWN = 20;
const MESSAGE_SHOWN = 300;

/**
 * Returns a line for each failed test, and for each file that failed outside its tests, with the start of the message.
 * A run prints them at its end, where they are found without a search through the output of an hour.
 * @param {string | undefined} json The content of jest's result file; undefined when the file does not exist.
 * @param {string} root The folder that the paths begin at, without a slash at its end.
 */
export function failureLines(json, root) {
  /** `--listTests` writes another result. @type {{ testResults?: FileResult[] }} */
  const { testResults = [] } = json === undefined ? {} : JSON.parse(json);
  const lines = testResults.flatMap(({ name, message, assertionResults }) => {
    const file = name.startsWith(`${root}/`) ? name.slice(root.length + 1) : name;
    const failed = assertionResults.filter(({ status }) => status === 'failed');
    if (failed.length > 0)
      return failed.map((test) => `failed: ${file}: ${test.fullName}: ${shortened(test.failureMessages.join(' '))}`);
    // A file may fail before its first test, and after its last one.
    return message === '' ? [] : [`failed: ${file}: ${shortened(message)}`];
  });
  const more = lines.length - FAILURES_SHOWN;
  return more > 0 ? [...lines.slice(0, FAILURES_SHOWN), `and ${more} more failures`] : lines;
}

/** @param {string} message */
function shortened(message) {
  return stripVTControlCharacters(message).replace(/\s+/g, ' ').trim().slice(0, MESSAGE_SHOWN);
}

/**
 * The part of a file's result in jest's result file that is read here.
 * @typedef {object} FileResult
 * @property {string} name the absolute path
 * @property {string} message empty when nothing failed
 * @property {{ status: string, fullName: string, failureMessages: string[] }[]} assertionResults
 */

/**
 * Returns a one-line summary of a run.
 * @param {string | undefined} json The content of jest's result file; undefined when the file does not exist.
 */
export function resultSentence(json) {
  if (json === undefined) return 'jest ended without a result';
  const result = JSON.parse(json);
  const skipped = result.numPendingTests + result.numTodoTests;
  const broken = result.numRuntimeErrorTestSuites;
  return [
    `${result.numPassedTests} passed, ${result.numFailedTests} failed`,
    skipped > 0 ? `, ${skipped} skipped` : '',
    broken > 0 ? `, ${broken} files did not run` : '',
  ].join('');
}
