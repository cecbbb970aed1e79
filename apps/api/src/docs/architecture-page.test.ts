import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const ROOT = new URL('../../../../', import.meta.url);
const page = readFileSync(new URL('docs/architecture.md', ROOT), 'utf8');

describe('docs/architecture.md', () => {
  const map = page.split('## Map')[1]?.split('```')[1] ?? '';
  const folders = ['apps', 'packages'].flatMap((group) =>
    readdirSync(fileURLToPath(new URL(group, ROOT))).map((name) => `${group}/${name}/`),
  );

  it.each(folders)('has a line for %s in the map', (folder) => {
    expect(map.split('\n').filter((line) => line.startsWith(folder) || line.includes(`; ${folder}`))).toHaveLength(1);
  });

  it('has balanced code marks in each of its paragraphs', () => {
    const paragraphs = page
      .split('```')
      .filter((_, index) => index % 2 === 0)
      .join('')
      .split('\n\n');
    expect(paragraphs.filter((text) => text.split('`').length % 2 === 0)).toEqual([]);
    // A path in code marks has no blanks: two lines that ran into one another would have.
    const marked = [
      ...page
        .split('```')
        .filter((_, index) => index % 2 === 0)
        .join('')
        .matchAll(/`([^`]+)`/g),
    ];
    expect(marked.map(([, code = '']) => code).filter((code) => /^(apps|packages)\/\S*\s/.test(code))).toEqual([]);
  });
});
