import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { BENCHES } from '../benches.js';
import { ROOT } from '../root.js';
import { TABLES } from './blocks.js';
import { pageFiles, withBlocks } from './make-page.js';

const files = pageFiles(ROOT);

describe('the page of performance', () => {
  it.each([...files.keys()])(
    'equals what the stored results make: %s (otherwise run npm run bench -- page)',
    (path) => {
      expect(existsSync(join(ROOT, path)) ? readFileSync(join(ROOT, path), 'utf8') : '').toBe(files.get(path));
    },
  );

  it('has each bench in one table', () => {
    expect(['mail', ...Object.values(TABLES).flat()].toSorted()).toEqual(Object.keys(BENCHES).toSorted());
  });

  it('has pictures with the same bytes each time, a title, a description and a background', () => {
    const pictures = [...pageFiles(ROOT)].filter(([path]) => path.endsWith('.svg'));
    expect(pictures).toHaveLength(3);
    for (const [path, svg] of pictures) {
      expect(svg).toBe(files.get(path));
      expect(svg).toMatch(/^<svg role="img" aria-labelledby="title description" /);
      expect(svg).toMatch(/<title id="title">.{20,}<\/title>\n<desc id="description">.{40,}<\/desc>/);
      expect(svg).toMatch(/<rect width="760" height="380" [^>]*fill="#ffffff"/);
    }
  });
});

describe('the marks of a page', () => {
  const page = 'Before.\n\n<!-- begin: one -->\nold\n<!-- end: one -->\n\nAfter.\n';

  it('keep the text around them', () => {
    expect(withBlocks(page, { one: 'new $1' })).toBe(
      'Before.\n\n<!-- begin: one -->\n\nnew $1\n\n<!-- end: one -->\n\nAfter.\n',
    );
  });

  it('must be there once for each block, and have an end', () => {
    expect(() => withBlocks(page, {})).toThrow('has the marks one');
    expect(() => withBlocks(page, { one: '', two: '' })).toThrow('the blocks one, two');
    expect(() => withBlocks(page + page, { one: '' })).toThrow('has the marks one, one');
    expect(() => withBlocks(page.replace('<!-- end: one -->', ''), { one: '' })).toThrow('no <!-- end: one -->');
  });
});
