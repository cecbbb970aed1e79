// @ts-check
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from './processes.mjs';
import { FILES } from './repository-paths.mjs';
import { ownLimits } from './test-limits.mjs';

describe('a limit of its own', () => {
  it('is had by no test and no hook: all have that of scripts/test-timeout.mjs', () => {
    const files = FILES.filter((file) => /\.test\.(ts|mjs)$|\/testing\/.*\.ts$/.test(file));
    expect(files.length).toBeGreaterThan(500);
    const found = files.flatMap((file) => {
      return ownLimits(readFileSync(join(ROOT, file), 'utf8')).map((name) => `${file}: ${name}`);
    });
    expect(found).toEqual([]);
  });

  it.each([
    ['afterAll(() => stop(), 20_000);', 'afterAll'],
    ['beforeEach(start, LIMIT);', 'beforeEach'],
    ["it('x', async () => { await wait(1, 2, 3); }, 5000);", 'it'],
    ["it.only('x', () => {}, 5000);", 'it'],
    ["test.each([[1, 2, 3]])('x %s', (one: number) => {}, 5000);", 'test'],
    ["describe('x', () => { it.each`a\n${1}`('x', () => {}, 5000); });", 'it'],
    ['jest.setTimeout(5000);', 'jest.setTimeout'],
  ])('is found in %s', (text, name) => {
    expect(ownLimits(text)).toEqual([name]);
  });

  it.each([
    ['afterAll(() => setTimeout(stop, 20_000));'],
    ["it('x', () => {}); it.skip('x', () => {}); it.todo('x');"],
    ["it.each([1], [2], [3])('x', () => {});"],
    ['setTimeout(it, 5000, 1, 2); mail.test(1, 2, 3); jest.fn(1, 2, 3);'],
  ])('is not found in %s', (text) => {
    expect(ownLimits(text)).toEqual([]);
  });
});
