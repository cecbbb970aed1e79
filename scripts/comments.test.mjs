// @ts-check
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from './processes.mjs';
import { FILES, pathExists } from './repository-paths.mjs';

const MAX_CHARACTERS = 120;
const FILE = /(?<![\w/.<>-])[\w<][\w./<>-]*\.(?:tsx?|mjs|md)\b/g;
/** Two words or more, written as one, each with a capital. */
const CLASS = /\b[A-Z][a-z0-9]+(?:[A-Z][a-z0-9]+)+\b/g;
const FUNCTION = /(?<=`)[a-z][a-z0-9]*(?:[A-Z][a-z0-9]*)+(?=`)/g;
/** Languages, and names of other software that the code does not use. */
const OTHERS = ['JavaScript', 'TypeScript', 'IsUrl', 'QueryResult', 'GetEmailIdentity', 'ListEmailIdentities'];

/** Every word of the code. The types of JSDoc are code too. */
const words = new Set(OTHERS);
const comments = FILES.filter((path) => /\.(tsx?|mjs)$/.test(path) && !path.includes('/generated/')).flatMap((path) =>
  readFileSync(join(ROOT, path), 'utf8')
    .split('\n')
    .flatMap((line, index) => {
      const text = /^\s*(?:\/\/|\/\*|\*(?:[ /]|$)).*|\s\/\/\s.*/.exec(line)?.[0] ?? '';
      const types = path.endsWith('.mjs') ? (/@\w+ (?:\{.*\} ?\w*|\w+ \w+)/.exec(text)?.[0] ?? '') : '';
      for (const [word] of `${line.slice(0, line.length - text.length)} ${types}`.matchAll(/\w+/g)) words.add(word);
      return text === '' ? [] : [{ at: `${path}:${index + 1}`, text: text.replace(types, ''), length: line.length }];
    }),
);

describe('the comments', () => {
  it('name only files that exist', () => {
    expect(missing(FILE, pathExists)).toEqual([]);
  });

  it('name only classes, types and functions that exist', () => {
    const isThere = (/** @type {string} */ name) => words.has(name);
    expect([...missing(CLASS, isThere), ...missing(FUNCTION, isThere)]).toEqual([]);
  });

  it(`have at most ${MAX_CHARACTERS} characters in a line`, () => {
    expect(comments.filter(({ length }) => length > MAX_CHARACTERS).map(({ at }) => at)).toEqual([]);
  });
});

/**
 * The names in comments that do not exist.
 * @param {RegExp} form
 * @param {(name: string) => boolean} exists
 */
function missing(form, exists) {
  return comments.flatMap(({ at, text }) =>
    Array.from(text.matchAll(form), ([name]) => name)
      .filter((name) => !exists(name))
      .map((name) => `${at}: ${name}`),
  );
}
