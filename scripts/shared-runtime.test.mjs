// @ts-check
import { spawn } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { jestCommand } from './jest-command.mjs';
import { ended, ROOT } from './processes.mjs';

const LOADED = `
import { appendFileSync } from 'node:fs';
appendFileSync(new URL('./loads', import.meta.url), 'x');
export const clock = { now: () => 7 };
export const held = [];`;

/** Expects everything as at the start, then changes all of it. */
const CHANGES = `
import { jest } from '@jest/globals';
import { clock } from './loaded.mjs';

it('finds everything as at the start', async () => {
  expect(clock.now()).toBe(7);
  expect(process.env.LEFT).toBeUndefined();
  expect(process.env.GIVEN).toBe('yes');
  const stores = Object.getOwnPropertySymbols(Promise.resolve()).filter((symbol) => symbol.description === 'kResourceStore');
  // jest's own.
  expect(stores.length).toBeLessThanOrEqual(1);
  await new Promise((resolve) => setTimeout(resolve, 1));
});
it('leaves nothing', () => {
  jest.spyOn(clock, 'now').mockReturnValue(8);
  jest.useFakeTimers();
  process.env.LEFT = 'yes';
  delete process.env.GIVEN;
  expect(clock.now()).toBe(8);
});`;
const FAILS = `import './loaded.mjs'; it('fails', () => { expect(1).toBe(2); });`;
/** Loads a module that fails the first time. */
const LOADS_BROKEN = `it('loads it', () => import('./broken.mjs'));`;
const BROKEN = `
import { existsSync, writeFileSync } from 'node:fs';
const tried = new URL('./tried', import.meta.url);
if (!existsSync(tried)) {
  writeFileSync(tried, '');
  throw new Error('no port');
}`;
/** Hears a rejection after the end of the turn in which Node, outside of jest, ends the process. */
const HEARS_LATE = `
it('hears it late', async () => {
  const rejected = Promise.reject(new Error('lost'));
  await new Promise((resolve) => setImmediate(resolve));
  await expect(rejected).rejects.toThrow('lost');
});
it('hears it at once', () => expect(Promise.reject(new Error('lost'))).rejects.toThrow('lost'));`;
/** Expects that of the files before, at most the last one is still in memory, then is one more. */
const GROWS = `
import { setImmediate as nextTurn } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { held } from './loaded.mjs';

describe('a file', () => {
  const large = { rows: Array.from({ length: 1000 }, () => ({})) };
  it('is not kept by the next but one', async () => {
    setFlagsFromString('--expose-gc');
    await nextTurn();
    runInNewContext('gc')();
    expect(held.filter((each) => each.deref() !== undefined).length).toBeLessThanOrEqual(1);
    held.push(new WeakRef(large));
  });
});`;
const ALONE = `/** @jest-environment node */${CHANGES}`;

describe('test files of one worker', () => {
  let folder = '';
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'mailstead-shared-'));
    await writeFile(join(folder, 'loaded.mjs'), LOADED);
    await writeFile(join(folder, 'broken.mjs'), BROKEN);
  });
  afterEach(() => rm(folder, { recursive: true }));

  /**
   * Runs the files one after the other. Returns how often their common module was loaded, and the counts of jest.
   * @param {Record<string, string>} files
   */
  async function run(files) {
    for (const [name, content] of Object.entries(files)) await writeFile(join(folder, `${name}.test.mjs`), content);
    const config = {
      transform: {},
      testEnvironment: join(ROOT, 'scripts/shared-environment.cjs'),
      runtime: join(ROOT, 'scripts/shared-runtime.cjs'),
    };
    const resultFile = join(folder, 'result.json');
    const args = jestCommand(['--rootDir', folder, '--config', JSON.stringify(config), '-i'], resultFile);
    await ended(spawn(process.execPath, args, { cwd: ROOT, env: { ...process.env, GIVEN: 'yes' }, stdio: 'ignore' }));
    const { numPassedTests: passed, numFailedTests: failed } = JSON.parse(await readFile(resultFile, 'utf8'));
    const loads = await readFile(join(folder, 'loads'), 'utf8').catch(() => '');
    return { loads: loads.length, passed, failed };
  }

  it('load a module once, and see no spies, timers, variables, storages and results of the file before', async () => {
    expect(await run({ a: CHANGES, b: CHANGES, c: CHANGES, d: FAILS })).toEqual({ loads: 1, passed: 6, failed: 1 });
  });

  it('are not kept in memory after their end', async () => {
    expect(await run({ a: GROWS, b: GROWS, c: GROWS, d: GROWS, e: GROWS })).toEqual({ loads: 1, passed: 5, failed: 0 });
  });

  it('load a module again that failed', async () => {
    expect(await run({ a: LOADS_BROKEN, b: LOADS_BROKEN, c: LOADS_BROKEN })).toEqual({
      loads: 0,
      passed: 2,
      failed: 1,
    });
  });

  it('fail with a rejection that would have ended a process of the service', async () => {
    expect(await run({ a: HEARS_LATE })).toEqual({ loads: 0, passed: 1, failed: 1 });
  });

  it('have modules of their own when they say so', async () => {
    expect(await run({ a: CHANGES, b: ALONE, c: CHANGES })).toEqual({ loads: 2, passed: 6, failed: 0 });
  });
});
