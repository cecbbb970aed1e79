// @ts-check
// Finds the limits of time that tests and hooks have of their own.
import { parseSync } from '@swc/core';

/** The number of arguments without a limit: a hook has its function, a test its name and its function. */
const ARGUMENTS = new Map([
  ['beforeAll', 1],
  ['afterAll', 1],
  ['beforeEach', 1],
  ['afterEach', 1],
  ['it', 2],
  ['test', 2],
]);

/** @typedef {{ type?: unknown, [key: string]: unknown }} Node A part of the syntax tree. */

/**
 * Returns the names of the tests and hooks that have a limit of their own, and `setTimeout` of jest.
 * @param {string} text In JavaScript or TypeScript.
 */
export function ownLimits(text) {
  const tree = parseSync(text, { syntax: 'typescript', decorators: true, target: 'es2022' });
  return calls(tree).flatMap((call) => {
    const callee = /** @type {Node} */ (call.callee);
    const name = nameOf(callee);
    const member = nameOf(callee.property);
    if (name === 'jest' && member === 'setTimeout') return ['jest.setTimeout'];
    // `it.each` has the cases; what it returns is called as `it` is.
    const isOfCases = member === 'each';
    const given = /** @type {unknown[]} */ (call.arguments).length;
    return name !== undefined && !isOfCases && given > (ARGUMENTS.get(name) ?? given) ? [name] : [];
  });
}

/**
 * @param {unknown} part
 * @param {Node[]} found
 */
function calls(part, found = []) {
  if (typeof part !== 'object' || part === null) return found;
  if ('type' in part && part.type === 'CallExpression') found.push(part);
  for (const value of Object.values(part)) calls(value, found);
  return found;
}

/**
 * Returns the first name of an expression: `it` for `it.only`, `it.each(…)` and a template of `it.each`.
 * @param {unknown} part
 * @returns {string | undefined}
 */
function nameOf(part) {
  if (typeof part !== 'object' || part === null) return undefined;
  const { type, value, object, callee, tag } = /** @type {Node} */ (part);
  if (type === 'Identifier') return String(value);
  return nameOf(object ?? callee ?? tag);
}
