// @ts-check
import { spawn } from 'node:child_process';
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { jest } from '@jest/globals';
import { jestCommand } from './jest-command.mjs';
import { resultSentence } from './jest-result.mjs';
import { ended, ROOT } from './processes.mjs';
import { keepFailure, runTwice } from './second-run.mjs';

const GREEN = `it('passes', () => {}); it.skip('is left out', () => {});`;
const RED = `it('has two', () => { expect(1).toBe(2); }); it('has one', () => {});`;
/** Fails in the first run of the file, and passes in the second. */
const UNSTEADY = `
const { existsSync, writeFileSync } = require('node:fs');
const ran = __filename + '.ran';
const isSecond = existsSync(ran);
writeFileSync(ran, '');
it('has both', () => { expect(isSecond).toBe(true); });
it('has one', () => {});`;
const UNSTEADY_OUTSIDE = UNSTEADY.replace('it(', `if (!isSecond) throw new Error('no port'); it(`);
const LEFT_OUT = UNSTEADY.replace('it(', '(isSecond ? it.skip : it)(');
/** Ends its process with SIGKILL in the first run of the file. */
const KILLED = UNSTEADY.replace('it(', `if (!isSecond) process.kill(process.pid, 'SIGKILL'); it(`);

describe('a test file that fails', () => {
  let folder = '';
  /** @type {(readonly string[])[]} */
  let runs = [];
  let isStopped = false;

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'mailstead-second-'));
    runs = [];
    isStopped = false;
  });
  afterEach(() => rm(folder, { recursive: true }));

  /**
   * Runs files by jest as `npm test` does.
   * @param {Record<string, string>} files The content by the name.
   * @param {readonly string[]} options
   */
  async function run(files, options = []) {
    for (const [name, content] of Object.entries(files)) await writeFile(join(folder, `${name}.test.js`), content);
    const log = jest.spyOn(console, 'log').mockImplementation(() => {});
    const { files: results, ...outcome } = await runTwice(jestOnce, options, {
      isStopped: () => isStopped,
      keep: (file) => keepFailure(join(folder, 'kept'), file, { place: 'Node v20.20.2', seed: 7 }),
    });
    log.mockRestore();
    const failures = outcome.failures.map((line) => line.replaceAll(`${folder}/`, ''));
    return {
      ...outcome,
      counts: resultSentence(results),
      failures,
      kept: await readdir(join(folder, 'kept')).catch(() => []),
    };
  }

  /** @param {readonly string[]} options */
  async function jestOnce(options) {
    runs.push(options);
    const resultFile = join(folder, 'result.json');
    await rm(resultFile, { force: true });
    const args = jestCommand(['--rootDir', folder, '--config', '{"transform":{}}', ...options], resultFile);
    const { code } = await ended(spawn(process.execPath, args, { cwd: ROOT, stdio: 'ignore' }));
    const result = await readFile(resultFile, 'utf8').catch(() => undefined);
    return { code: code ?? 137, result: result === undefined ? undefined : JSON.parse(result) };
  }

  it('is red when it fails again, alone', async () => {
    expect(await run({ green: GREEN, red: RED })).toEqual({
      code: 1,
      counts: '2 passed, 1 failed, 1 skipped',
      failures: ['failed: red.test.js › has two: Error: expect(received).toBe(expected) // Object.is equality'],
      kept: [],
    });
    expect(runs).toEqual([[], ['-i', '--runTestsByPath', join(folder, 'red.test.js')]]);
  });

  it('is named as unsteady when it passes alone, and its whole failure is kept', async () => {
    const { kept, ...outcome } = await run({ green: GREEN, unsteady: UNSTEADY });
    expect(outcome).toEqual({
      code: 0,
      counts: '3 passed, 0 failed, 1 skipped',
      failures: ['unsteady: unsteady.test.js › has both: Error: expect(received).toBe(expected) // Object.is equality'],
    });
    expect(kept).toHaveLength(1);
    const failure = await readFile(join(folder, 'kept', kept[0] ?? ''), 'utf8');
    expect(failure).toMatch(/^\d{4}-\S+Z \S+\/unsteady\.test\.js on Node v20\.20\.2, seed 7\n/);
    expect(failure).toContain('Received: false');
  });

  it('is unsteady too when it failed outside its tests', async () => {
    expect(await run({ outside: UNSTEADY_OUTSIDE })).toMatchObject({
      code: 0,
      counts: '2 passed, 0 failed',
      failures: ['unsteady: outside.test.js: no port'],
    });
  });

  it('is unsteady too when its process was killed', async () => {
    const { code, counts, failures } = await run({ green: GREEN, killed: KILLED });
    expect([code, counts, failures.length]).toEqual([0, '3 passed, 0 failed, 1 skipped', 1]);
    expect(failures[0]).toMatch(/^unsteady: killed\.test\.js: .*SIGKILL/);
  });

  it('is red when the test that failed is skipped in the second run', async () => {
    expect(await run({ skipping: LEFT_OUT })).toMatchObject({
      code: 1,
      counts: '1 passed, 1 failed',
      failures: ['failed: skipping.test.js › has both: Error: expect(received).toBe(expected) // Object.is equality'],
      kept: [],
    });
  });

  it('leaves a run red in which another file fails again', async () => {
    const { code, counts, failures } = await run({ red: RED, unsteady: UNSTEADY });
    expect([code, counts]).toEqual([1, '3 passed, 1 failed']);
    expect(failures.map((line) => line.split(' › ')[0])).toEqual(['failed: red.test.js', 'unsteady: unsteady.test.js']);
  });

  it('runs again among three, and not among four', async () => {
    const three = { a: UNSTEADY, b: UNSTEADY, c: UNSTEADY };
    expect(await run(three)).toMatchObject({ code: 0, counts: '6 passed, 0 failed' });
    const four = await run({ d: UNSTEADY, e: UNSTEADY, f: UNSTEADY, g: UNSTEADY });
    expect(four).toMatchObject({ code: 1, counts: '10 passed, 4 failed' });
    expect(runs).toHaveLength(3);
  });

  it('runs once only when the options choose tests within files', async () => {
    expect(await run({ unsteady: UNSTEADY }, ['-t', 'has'])).toMatchObject({ code: 1, counts: '1 passed, 1 failed' });
    expect(runs).toHaveLength(1);
  });

  it('is red, and runs once only, after a stop signal', async () => {
    isStopped = true;
    expect(await run({ unsteady: UNSTEADY })).toMatchObject({ code: 1, counts: '1 passed, 1 failed' });
    expect(runs).toHaveLength(1);
  });

  it('is not looked for when jest only lists the files', async () => {
    expect(await run({ green: GREEN }, ['--listTests'])).toMatchObject({ code: 0, failures: [] });
    expect(runs).toHaveLength(1);
  });

  it('is not looked for when jest ended without a result', async () => {
    // With one file, jest has no worker.
    expect(await run({ killed: KILLED })).toMatchObject({ code: 137, counts: 'jest ended without a result' });
    expect(runs).toHaveLength(1);
  });
});
