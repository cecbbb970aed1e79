import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Results, readResults } from '../run/stored-results.js';
import { blocksOf, picturesOf } from './blocks.js';
import { svgOf } from './pictures/svg.js';

const PAGE = 'docs/performance.md';

/** The page and its pictures, by their paths, as the stored results make them. */
export function pageFiles(root: string): Map<string, string> {
  const results = readResults(join(root, 'packages/bench/results'));
  const text = withBlocks(readFileSync(join(root, PAGE), 'utf8'), blocksOf(results));
  return new Map([[PAGE, text], ...pictureFiles(results)]);
}

/** `npm run bench -- page` */
export function writePage(root: string): void {
  for (const [path, content] of pageFiles(root)) {
    writeFileSync(join(root, path), content);
    console.log(path);
  }
}

function pictureFiles(results: Results): [path: string, svg: string][] {
  return Object.entries(picturesOf(results)).map(([name, { picture }]) => [
    `docs/pictures/${name}.svg`,
    svgOf(picture),
  ]);
}

/**
 * Replaces what is between the marks `<!-- begin: x -->` and `<!-- end: x -->` of each block.
 *
 * @throws Error when a mark is missing, is there twice or has no block.
 */
export function withBlocks(text: string, blocks: Readonly<Record<string, string>>): string {
  const marked = Array.from(text.matchAll(/^<!-- begin: (.*) -->$/gm), ([, name = '']) => name);
  const names = Object.keys(blocks);
  if (marked.toSorted().join() !== names.toSorted().join()) {
    throw new Error(`${PAGE} has the marks ${marked.join(', ')}, and there are the blocks ${names.join(', ')}`);
  }
  return names.reduce((page, name) => {
    const [before = '', rest = ''] = page.split(`<!-- begin: ${name} -->\n`);
    const [, after] = rest.split(`<!-- end: ${name} -->\n`);
    if (after === undefined) throw new Error(`${PAGE} has no <!-- end: ${name} -->`);
    return `${before}<!-- begin: ${name} -->\n\n${blocks[name]}\n\n<!-- end: ${name} -->\n${after}`;
  }, text);
}
