// @ts-check
import { join } from 'node:path';
import { failureLines, resultSentence } from './jest-result.mjs';
import { ROOT } from './processes.mjs';

describe('the last line of a test run', () => {
  it.each([
    [[], '0 passed, 0 failed'],
    [
      [
        ['passed', 'passed'],
        ['passed', 'failed'],
      ],
      '3 passed, 1 failed',
    ],
    [[['passed', 'failed', 'pending', 'todo']], '1 passed, 1 failed, 2 skipped'],
    [[['failed'], [], ['passed', 'pending']], '1 passed, 1 failed, 1 skipped, 1 files failed outside their tests'],
  ])('of files with the tests %j is "%s"', (files, sentence) => {
    const results = files.map((statuses) => ({
      name: '/a.test.ts',
      status: statuses.length === 0 || statuses.includes('failed') ? 'failed' : 'passed',
      message: '',
      assertionResults: statuses.map((status) => ({ status, fullName: 'a', failureMessages: [] })),
    }));
    expect(resultSentence(results)).toBe(sentence);
  });

  it('reports that there is no result when jest wrote none', () => {
    expect(resultSentence(undefined)).toBe('jest ended without a result');
  });
});

describe('the lines of failures', () => {
  it('name at most 20 tests by the path in the repository, without colours, each in one line', () => {
    const failureMessages = [`\u001b[31m${'x'.repeat(400)}\u001b[39m\n    at line`];
    const failed = Array.from({ length: 25 }, (_, index) => ({
      status: 'failed',
      fullName: `a\n  t${index}`,
      failureMessages,
    }));
    const file = { name: join(ROOT, 'apps/a.test.ts'), status: 'failed', message: 'all', assertionResults: failed };
    const lines = failureLines('unsteady', [file]);
    expect(lines).toHaveLength(21);
    expect(lines[0]).toBe(`unsteady: apps/a.test.ts › a t0: ${'x'.repeat(300)}`);
    expect(lines[20]).toBe('unsteady: and 5 more tests');
  });
});
