// @ts-check
import { join } from 'node:path';
import { failureLines, resultSentence } from './jest-result.mjs';
import { ROOT } from './processes.mjs';

const result = {
  numPassedTests: 3,
  numFailedTests: 1,
  numPendingTests: 0,
  numTodoTests: 0,
  numRuntimeErrorTestSuites: 0,
  wasInterrupted: false,
  testResults: [],
};

describe('the last line of a test run', () => {
  it.each([
    [{}, '3 passed, 1 failed'],
    [{ numPendingTests: 1, numTodoTests: 1 }, '3 passed, 1 failed, 2 skipped'],
    [{ numRuntimeErrorTestSuites: 2 }, '3 passed, 1 failed, 2 files did not run'],
  ])('of %j is "%s"', (counts, sentence) => {
    expect(resultSentence({ ...result, ...counts })).toBe(sentence);
  });

  it('reports that there is no result when jest wrote none', () => {
    expect(resultSentence(undefined)).toBe('jest ended without a result');
  });
});

describe('the lines of failures', () => {
  it('name at most 20 tests by the path in the repository, without colours and with one line of the reason', () => {
    const failureMessages = [`\u001b[31m${'x'.repeat(400)}\u001b[39m\n    at line`];
    const failed = Array.from({ length: 25 }, (_, index) => ({
      status: 'failed',
      fullName: `t${index}`,
      failureMessages,
    }));
    const file = { name: join(ROOT, 'apps/a.test.ts'), status: 'failed', message: 'all', assertionResults: failed };
    const lines = failureLines('unsteady', [file]);
    expect(lines).toHaveLength(21);
    expect(lines[0]).toBe(`unsteady: apps/a.test.ts › t0: ${'x'.repeat(300)}`);
    expect(lines[20]).toBe('unsteady: and 5 more tests');
  });
});
