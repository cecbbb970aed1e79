// @ts-check
import { LONGEST } from './longest-first.mjs';
import { FILES } from './repository-paths.mjs';

describe('the order of the test files', () => {
  it('names only files that exist', () => {
    const tests = FILES.filter((file) => file.endsWith('.test.ts'));
    expect(LONGEST.filter((name) => !tests.some((file) => file.includes(name)))).toEqual([]);
  });
});
