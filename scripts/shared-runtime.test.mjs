// @ts-check
import { spawn } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { jestCommand } from './jest-command.mjs';
import { ended, ROOT } from './processes.mjs';

const LOADED = `
import { appendFileSync } from 'node:fs';
import { expect } from '@jest/globals';
appendFileSync(new URL('./loads', import.meta.url), expect.getState().testPath.match(/(\\w+)\\.test/)[1] + '\\n');
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

/** In the order in which they run. */
const FILES = {
  a: CHANGES,
  b: CHANGES,
  c: CHANGES,
  fails: FAILS,
  g1: GROWS,
  g2: GROWS,
  g3: GROWS,
  g4: GROWS,
  g5: GROWS,
  late: HEARS_LATE,
  m1: LOADS_BROKEN,
  m2: LOADS_BROKEN,
  m3: LOADS_BROKEN,
  n_alone: ALONE,
  o: CHANGES,
};
/** Runs the files in the order of their names. */
const IN_ORDER = `
const Sequencer = require(${JSON.stringify(createRequire(import.meta.url).resolve('@jest/test-sequencer'))}).default;
module.exports = class extends Sequencer {
  sort(tests) {
    return [...tests].sort((one, other) => (one.path < other.path ? -1 : 1));
  }
};`;

describe('test files of one worker', () => {
  let folder = '';
  /** @type {Map<string, string[]>} By the name of the file: how each of its tests ended. */
  let ends;
  /** @type {string[]} The files for which their common module was loaded. */
  let loads;

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'mailstead-shared-'));
    await writeFile(join(folder, 'loaded.mjs'), LOADED);
    await writeFile(join(folder, 'broken.mjs'), BROKEN);
    await writeFile(join(folder, 'in-order.cjs'), IN_ORDER);
    for (const [name, content] of Object.entries(FILES)) await writeFile(join(folder, `${name}.test.mjs`), content);
    const config = {
      transform: {},
      testEnvironment: join(ROOT, 'scripts/shared-environment.cjs'),
      runtime: join(ROOT, 'scripts/shared-runtime.cjs'),
      testSequencer: join(folder, 'in-order.cjs'),
    };
    const resultFile = join(folder, 'result.json');
    const args = jestCommand(['--rootDir', folder, '--config', JSON.stringify(config), '-i'], resultFile);
    await ended(spawn(process.execPath, args, { cwd: ROOT, env: { ...process.env, GIVEN: 'yes' }, stdio: 'ignore' }));
    /** @type {{ testResults: { name: string, assertionResults: { status: string }[] }[] }} */
    const { testResults } = JSON.parse(await readFile(resultFile, 'utf8'));
    ends = new Map(
      testResults.map(({ name, assertionResults }) => [
        basename(name, '.test.mjs'),
        assertionResults.map(({ status }) => status),
      ]),
    );
    loads = (await readFile(join(folder, 'loads'), 'utf8')).trim().split('\n');
  });
  afterAll(() => rm(folder, { recursive: true }));

  const endsOf = (/** @type {string[]} */ ...names) => names.map((name) => ends.get(name));

  it('load a module once, except for files that say that they have modules of their own', () => {
    expect([...ends.keys()].sort()).toEqual(Object.keys(FILES));
    expect(loads).toEqual(['a', 'n_alone']);
    expect(endsOf('n_alone')).toEqual([['passed', 'passed']]);
  });

  it('see no spies, timers, variables, storages and results of the file before', () => {
    const both = ['passed', 'passed'];
    expect(endsOf('a', 'b', 'c', 'fails', 'o')).toEqual([both, both, both, ['failed'], both]);
  });

  it('are not kept in memory after their end', () => {
    expect(endsOf('g1', 'g2', 'g3', 'g4', 'g5')).toEqual(Array.from({ length: 5 }, () => ['passed']));
  });

  it('load a module again that failed', () => {
    expect(endsOf('m1', 'm2', 'm3')).toEqual([['failed'], ['passed'], ['passed']]);
  });

  it('fail with a rejection that would have ended a process of the service', () => {
    expect(endsOf('late')).toEqual([['failed', 'passed']]);
  });
});
