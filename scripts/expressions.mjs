// @ts-check
// The regular expressions of the product, and whether their time grows with the length of the text alone.
import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseSync } from '@swc/core';
import { ROOT } from './processes.mjs';
import { FILES } from './repository-paths.mjs';

/**
 * A part of the syntax tree.
 * @typedef {{ type?: string, pattern?: string, flags?: string, callee?: { value?: unknown } }} Node
 */
/** @typedef {{ literals: string[], composed: number }} Found Literals as written, and the number of `new RegExp`. */

/** A verdict; one that is not linear beside a sentence that says who decides how long the text is. */
/** @typedef {string | { verdict: string, safe: string }} Verdict */

/** Has the verdicts, by expression. */
export const VERDICTS = join(ROOT, 'scripts/expressions.json');
const JUDGE = join(ROOT, 'scripts/judge-expressions.mjs');

/** What a file with a regular expression has; so have some others. No comment, path or address looks so. */
const MAY_HAVE = /(?:^|[\s(,=:[!&|?{};>+-])\/(?![*/])[^\n]*\/|RegExp/m;
const TESTS = /\.test\.|\.d\.ts$|\/testing\/|\/generated\//;

/** The files whose expressions read texts from outside. Those of the benchmarks and scripts read their own. */
export const PRODUCT = FILES.filter(
  (path) => /^(apps|packages)\/[a-z-]+\/src\/.*\.tsx?$/.test(path) && !TESTS.test(path) && !path.includes('/bench/'),
);

/** Whether the time grows with the length of the text alone. @param {string} verdict */
export function isLinear(verdict) {
  return verdict === 'linear' || verdict === 'no attack found';
}

/** @returns {Record<string, Verdict>} */
export function readVerdicts() {
  return JSON.parse(readFileSync(VERDICTS, 'utf8'));
}

/**
 * Returns the regular expressions of a source file.
 * @param {string} text In TypeScript.
 * @param {boolean} tsx
 * @returns {Found}
 */
export function expressionsOf(text, tsx = false) {
  // Most files have none, and parsing takes longer than reading.
  if (!MAY_HAVE.test(text)) return { literals: [], composed: 0 };
  /** @type {Found} */
  const found = { literals: [], composed: 0 };
  collect(parseSync(text, { syntax: 'typescript', tsx, decorators: true, target: 'es2022' }), found);
  return found;
}

/**
 * @param {unknown} part
 * @param {Found} found
 */
function collect(part, found) {
  if (typeof part !== 'object' || part === null) return;
  const { type, pattern, flags, callee } = /** @type {Node} */ (part);
  if (type === 'RegExpLiteral') found.literals.push(`/${pattern}/${flags}`);
  if (type === 'NewExpression' || type === 'CallExpression') {
    if (callee?.value === 'RegExp') found.composed += 1;
  }
  for (const value of Object.values(part)) collect(value, found);
}

/**
 * Returns the verdict of each expression. Most take less than a second.
 * @param {readonly string[]} expressions Such as `/a+/i`.
 * @param {number} [patienceMs] The time for one of them; longer ones are `unknown`.
 * @returns {Promise<Record<string, string>>} `linear`, `no attack found`, or how the time grows.
 */
export function verdictsOf(expressions, patienceMs = 30_000) {
  // The same on every machine: neither Java nor a native program.
  const env = { ...process.env, RECHECK_BACKEND: 'pure' };
  return new Promise((resolve, reject) => {
    const child = execFile(
      process.execPath,
      [JUDGE, String(patienceMs)],
      { env, maxBuffer: 2 ** 24 },
      (error, output) => {
        if (error === null) resolve(JSON.parse(output));
        else reject(error);
      },
    );
    child.stdin?.end(JSON.stringify(expressions));
  });
}
