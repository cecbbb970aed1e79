// @ts-check
import { failureLines, resultSentence } from './jest-result.mjs';

const result = {
  numPassedTests: 3,
  numFailedTests: 1,
  numPendingTests: 0,
  numTodoTests: 0,
  numRuntimeErrorTestSuites: 0,
};

describe('the failures at the end of a test run', () => {
  /** @param {string} fullName */
  const failure = (fullName, message = 'wrong') => ({ status: 'failed', fullName, failureMessages: [message] });
  const passed = { status: 'passed', fullName: 'good', failureMessages: [] };
  /** @param {object[]} testResults */
  const linesOf = (testResults) => failureLines(JSON.stringify({ testResults }), '/root');

  it('name each failed test with its file and the start of its message', () => {
    const message = `\u001b[31mexpected 1\u001b[39m\n   got 2\n${'x'.repeat(1_000)}`;
    const file = { name: '/root/a/b.test.ts', message, assertionResults: [passed, failure('counts', message)] };
    const [line, ...more] = linesOf([file]);
    expect(line).toMatch(/^failed: a\/b\.test\.ts: counts: expected 1 got 2 x{283}$/);
    expect(more).toEqual([]);
  });

  it.each([[[]], [[passed]]])('name a file that failed outside its tests, which were %j', (assertionResults) => {
    const file = { name: '/root/a.test.ts', message: 'no such module', assertionResults };
    expect(linesOf([file])).toEqual(['failed: a.test.ts: no such module']);
  });

  it('are none when all tests passed or jest wrote no result', () => {
    expect(linesOf([{ name: '/root/a.test.ts', message: '', assertionResults: [passed] }])).toEqual([]);
    expect(failureLines(undefined, '/root')).toEqual([]);
  });

  it('are at most twenty, with the number of the others', () => {
    const assertionResults = Array.from({ length: 25 }, (_, at) => failure(`test ${at}`));
    const lines = linesOf([{ name: '/root/a.test.ts', message: 'wrong', assertionResults }]);
    expect(lines).toHaveLength(21);
    expect(lines.at(-1)).toBe('and 5 more failures');
  });
});

describe('the last line of a test run', () => {
  it.each([
    [{}, '3 passed, 1 failed'],
    [{ numPendingTests: 1, numTodoTests: 1 }, '3 passed, 1 failed, 2 skipped'],
    [{ numRuntimeErrorTestSuites: 2 }, '3 passed, 1 failed, 2 files did not run'],
  ])('of %j is "%s"', (counts, sentence) => {
    expect(resultSentence(JSON.stringify({ ...result, ...counts }))).toBe(sentence);
  });

  it('reports that there is no result when jest wrote none', () => {
    expect(resultSentence(undefined)).toBe('jest ended without a result');
  });
});
