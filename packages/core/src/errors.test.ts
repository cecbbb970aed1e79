import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { ERRORS } from './errors.js';

const DOCUMENT = fileURLToPath(new URL('../../../docs/error-codes.md', import.meta.url));

describe('docs/error-codes.md', () => {
  it('lists exactly the error codes, with an anchor, their status and their details', () => {
    const rows = readFileSync(DOCUMENT, 'utf8')
      .split('\n')
      .map((line) => /^\| <a id="([a-z_]+)"><\/a>`\1` \| \d{3} \| (.+) \|$/.exec(line))
      .filter((match) => match !== null)
      .map(([, code, detail]) => [code, detail]);
    expect(rows).toEqual(Object.entries(ERRORS).map(([code, { detail }]) => [code, detail]));
  });
});
