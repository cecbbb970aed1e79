// @ts-check
// Reads regular expressions as a JSON array, and prints each with recheck's verdict as a JSON object. It is a process
// of its own, because recheck takes twenty times as long in the context that jest makes for tests.
import { text } from 'node:stream/consumers';
import { checkSync } from 'recheck';

/** The time for one expression, milliseconds. */
const patience = Number(process.argv[2]);

/**
 * Returns `linear`, `no attack found` when the expression has parts that the theory does not cover, or how the time
 * grows, such as `2nd degree polynomial`.
 * @param {string} expression Such as `/a+/i`.
 * @returns {string}
 */
function verdictOf(expression) {
  const end = expression.lastIndexOf('/');
  const limits = { timeout: patience, attackTimeout: patience, incubationTimeout: patience };
  const answer = checkSync(expression.slice(1, end), expression.slice(end + 1), limits);
  if (answer.status === 'unknown') return `unknown (${answer.error.kind})`;
  const { summary } = answer.complexity;
  if (answer.status === 'vulnerable') return summary.replace(' (fuzz)', '');
  return summary.endsWith('(fuzz)') ? 'no attack found' : 'linear';
}

/** @type {string[]} */
const expressions = JSON.parse(await text(process.stdin));
console.log(JSON.stringify(Object.fromEntries(expressions.map((each) => [each, verdictOf(each)]))));
