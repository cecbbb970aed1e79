// @ts-check
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join, posix } from 'node:path';
import { ROOT } from './processes.mjs';
import { FILES, FOLDERS, pathExists } from './repository-paths.mjs';

/** @typedef {{ at: string, lines: string[], language: string | null }} Block */

/** The folders that a running service makes. */
const MADE = readFileSync(join(ROOT, '.gitignore'), 'utf8').split('\n');
/** What follows the first name of a path in backticks: a path has no space. */
const TWO_PATHS = /^(apps|packages)\/\S*\s/;

const blocks = FILES.filter((path) => /^(README|CONTRIBUTING|docs\/.*)\.md$/.test(path)).flatMap(blocksOf);
const prose = blocks.filter(({ language }) => language === null);
const tables = prose.filter(({ lines }) => lines.some((line) => line.startsWith('|')));
const paragraphs = prose.filter(({ lines: [first = ''] }) => !/^\s*([#>|<!]|[-*] |\d+\. )/.test(first));

/** The names by which links lead to the headings of each document. @type {Map<string, string[]>} */
const anchors = new Map(FILES.filter((path) => path.endsWith('.md')).map((path) => [path, anchorsOf(path)]));

describe('the documents', () => {
  it('link only to files and headings that exist', () => {
    const links = [...anchors.keys()].flatMap(blocksOf).flatMap(({ at, lines, language }) =>
      language === null
        ? Array.from(
            lines.join('\n').matchAll(/\]\((?!\w+:)([^)\s#]*)#?([^)\s]*)\)/g),
            ([, path = '', anchor = '']) => {
              const [page = ''] = at.split(':');
              return { at, file: path === '' ? page : posix.join(posix.dirname(page), path), anchor };
            },
          )
        : [],
    );
    const wrong = links.filter(
      ({ file, anchor }) =>
        !existsSync(join(ROOT, file)) || (anchor !== '' && anchors.get(file)?.includes(anchor) === false),
    );
    expect(wrong).toEqual([]);
    expect(links.length).toBeGreaterThan(400);
  });

  it('name only files and folders that exist', () => {
    const missing = blocks.flatMap((block) =>
      namesIn(block)
        .filter((name) => isPath(name) && !pathExists(name))
        .map((name) => `${block.at}: ${name}`),
    );
    expect(missing).toEqual([]);
  });

  it('have every app and package once in the map of the architecture', () => {
    const map = blocks.find(({ at, language }) => at.startsWith('docs/architecture.md') && language === '');
    const folders = ['apps', 'packages'].flatMap((group) =>
      readdirSync(join(ROOT, group)).map((name) => `${group}/${name}/`),
    );
    const named = folders.filter(
      (folder) => map?.lines.filter((line) => line.startsWith(folder) || line.includes(`; ${folder}`)).length === 1,
    );
    expect(named).toEqual(folders);
  });

  it('have an empty line around each table, and the same number of cells in its rows', () => {
    const wrong = tables.filter(({ lines }) => {
      const counts = new Set(lines.map((line) => line.replaceAll('\\|', '').split('|').length));
      return counts.size > 1 || !lines.every((line) => /^\|.*\|$/.test(line)) || !/^[|\s:-]+$/.test(lines[1] ?? '');
    });
    expect(wrong.map(({ at }) => at)).toEqual([]);
  });

  it('have no paragraph that begins or ends within a sentence', () => {
    const wrong = paragraphs.filter(
      ({ lines }) => /^\s*[a-z,.;:)]/.test(lines[0] ?? '') || !/[.:!?…][)"”*_`]*$/.test(lines.at(-1) ?? ''),
    );
    expect(wrong.map(({ at }) => at)).toEqual([]);
  });

  it('close each code mark in its paragraph', () => {
    const wrong = prose.filter(
      ({ lines }) =>
        lines.join('\n').split('`').length % 2 === 0 ||
        Array.from(lines.join('\n').matchAll(/`([^`]+)`/g)).some(([, name = '']) => TWO_PATHS.test(name)),
    );
    expect(wrong.map(({ at }) => at)).toEqual([]);
  });
});

/**
 * The texts in backticks, and the words of a block of code without a language, which draws folders.
 * @param {Block} block
 */
function namesIn({ lines, language }) {
  if (language === '') return lines.flatMap((line) => line.split(/[\s,;:()→]+/));
  if (language !== null) return [];
  return Array.from(lines.join('\n').matchAll(/`([^`\n]+)`/g), ([, name = '']) => name);
}

/**
 * The letters, digits, `_` and `-` of each heading in lower case, with `-` for each blank, as the common hosts of git
 * make them. The second one of a name ends with `-1`.
 * @param {string} path
 */
function anchorsOf(path) {
  /** @type {Map<string, number>} */
  const seen = new Map();
  const headings = blocksOf(path)
    .filter(({ language }) => language === null)
    .flatMap(({ lines }) => lines.filter((line) => /^#+ /.test(line)));
  return headings.map((line) => {
    const text = line.replace(/^#+ /, '').replaceAll(/\[([^\]]*)\]\([^)]*\)/g, '$1');
    const name = text
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N}_ -]/gu, '')
      .replaceAll(' ', '-');
    const before = seen.get(name) ?? 0;
    seen.set(name, before + 1);
    return before === 0 ? name : `${name}-${before}`;
  });
}

/**
 * A path has no space, does not begin with a slash, and ends with the extension of a source or document, ends with a
 * slash, or begins with a folder of the repository.
 * @param {string} name
 */
function isPath(name) {
  const isOfFolder = name.includes('/') && FOLDERS.includes(name.split('/')[0] ?? '');
  const hasForm = /\.(tsx?|mjs|md|yml)$/.test(name) || /^[a-z<].*\/$/.test(name) || isOfFolder;
  return hasForm && /^[\w.<][\w./<>{},*-]*$/.test(name) && !MADE.includes(name);
}

/**
 * The blocks of a document: prose between empty lines has no language, a block of code has the one behind its
 * backticks.
 * @param {string} path
 * @returns {Block[]}
 */
function blocksOf(path) {
  /** @type {Block[]} */
  const found = [];
  /** @type {Block | null} */
  let current = null;
  for (const [index, line] of readFileSync(join(ROOT, path), 'utf8').split('\n').entries()) {
    const at = `${path}:${index + 1}`;
    const isInCode = current !== null && current.language !== null;
    const fence = /^\s*```(\w*)/.exec(line);
    if (fence !== null && !isInCode) found.push((current = { at, lines: [], language: fence[1] ?? '' }));
    else if (fence !== null || (line.trim() === '' && !isInCode)) current = null;
    else if (current === null) found.push((current = { at, lines: [line], language: null }));
    else current.lines.push(line);
  }
  return found;
}
