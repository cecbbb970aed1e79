// @ts-check
import { spawn } from 'node:child_process';
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
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

/** @typedef {import('./second-run.mjs').JestRun} JestRun */
/** @typedef {(options: readonly string[]) => Promise<JestRun>} Run */

const DIFFERS = 'Error: expect(received).toBe(expected) // Object.is equality';

let folder = '';
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'mailstead-second-'));
});
afterAll(() => rm(folder, { recursive: true }));

/**
 * Returns a function that runs files by jest as `npm test` does.
 * @param {string} name Of the folder of the files.
 * @param {Record<string, string>} files The content by the name.
 * @param {number} workers With 1, jest runs the files in its own process.
 * @returns {Promise<Run>}
 */
async function jestOf(name, files, workers) {
  const rootDir = join(folder, name);
  await mkdir(rootDir);
  for (const [file, content] of Object.entries(files)) await writeFile(join(rootDir, `${file}.test.js`), content);
  return async (options) => {
    const resultFile = join(rootDir, 'result.json');
    await rm(resultFile, { force: true });
    const args = jestCommand(['--rootDir', rootDir, '--config', '{"transform":{}}', ...options], resultFile, workers);
    const { code } = await ended(spawn(process.execPath, args, { cwd: ROOT, stdio: 'ignore' }));
    const result = await readFile(resultFile, 'utf8').catch(() => undefined);
    return { code: code ?? 137, result: result === undefined ? undefined : JSON.parse(result) };
  };
}

/**
 * Runs twice, and notes the runs. `name` is of the folder of the files.
 * @param {Run} run
 * @param {{ options?: readonly string[], isStopped?: boolean, name?: string }} [given]
 */
async function twice(run, { options = [], isStopped = false, name = '' } = {}) {
  const log = jest.spyOn(console, 'log').mockImplementation(() => {});
  const kept = join(folder, name, 'kept');
  /** @type {{ options: readonly string[], outcome: JestRun }[]} */
  const runs = [];
  /** @type {Run} */
  const noted = async (each) => {
    const outcome = await run(each);
    runs.push({ options: each, outcome });
    return outcome;
  };
  const { files, code, failures } = await runTwice(noted, options, {
    isStopped: () => isStopped,
    keep: (file) => keepFailure(kept, file, { place: 'Node v20.20.2', seed: 7 }),
  });
  log.mockRestore();
  return {
    code,
    counts: resultSentence(files),
    failures: failures.map((line) => line.replaceAll(`${join(folder, name)}/`, '')),
    kept: await readdir(kept).catch(() => []),
    runs,
  };
}

describe('test files that fail', () => {
  /** @type {Awaited<ReturnType<typeof twice>>} */
  let red;
  /** @type {Awaited<ReturnType<typeof twice>>} */
  let green;

  beforeAll(async () => {
    const someFail = { green: GREEN, red: RED, unsteady: UNSTEADY, skipping: LEFT_OUT };
    red = await twice(await jestOf('red', someFail, 1), { name: 'red' });
    // A file can kill its process without ending jest when it has a worker.
    const allPass = { green: GREEN, outside: UNSTEADY_OUTSIDE, killed: KILLED };
    green = await twice(await jestOf('green', allPass, 2), { name: 'green' });
  });

  it('run once more, alone, without those that passed', () => {
    const paths = ['red', 'skipping', 'unsteady'].map((name) => join(folder, 'red', `${name}.test.js`));
    const [first, second = [], ...others] = red.runs.map(({ options }) => options);
    expect([first, second.slice(0, 2), second.slice(2).sort(), others]).toEqual([
      [],
      ['-i', '--runTestsByPath'],
      paths,
      [],
    ]);
  });

  it('are red when one fails again, or skips the test that failed, and name as unsteady the one that passes', () => {
    expect([red.code, red.counts]).toEqual([1, '5 passed, 2 failed, 1 skipped']);
    expect(red.failures.map((line) => line.split(':')[0])).toEqual(['failed', 'failed', 'unsteady']);
    expect(red.failures.toSorted()).toEqual([
      `failed: red.test.js › has two: ${DIFFERS}`,
      `failed: skipping.test.js › has both: ${DIFFERS}`,
      `unsteady: unsteady.test.js › has both: ${DIFFERS}`,
    ]);
  });

  it('keep the whole failure of the unsteady one', async () => {
    expect(red.kept).toHaveLength(1);
    const failure = await readFile(join(folder, 'red', 'kept', red.kept[0] ?? ''), 'utf8');
    expect(failure).toMatch(/^\d{4}-\S+Z \S+\/unsteady\.test\.js on Node v20\.20\.2, seed 7\n/);
    expect(failure).toContain('Received: false');
  });

  it('are unsteady too when they failed outside their tests, or their process was killed', () => {
    expect([green.code, green.counts]).toEqual([0, '5 passed, 0 failed, 1 skipped']);
    expect(green.failures.toSorted()).toEqual([
      expect.stringMatching(/^unsteady: killed\.test\.js: .*SIGKILL/),
      'unsteady: outside.test.js: no port',
    ]);
    expect(green.kept).toHaveLength(2);
  });

  describe('as jest has told of them', () => {
    /**
     * Runs files with what jest told of them before, in the first and in the second run.
     * @param {readonly string[]} names
     * @returns {Run}
     */
    const told = (names) => async (options) => {
      const turn = options.includes('--runTestsByPath') ? 1 : 0;
      const all = [red, green].flatMap(({ runs }) => runs[turn]?.outcome.result?.testResults ?? []);
      const testResults = all.filter(({ name }) => names.some((each) => name.endsWith(`/${each}.test.js`)));
      const code = testResults.some(({ status }) => status === 'failed') ? 1 : 0;
      return { code, result: { wasInterrupted: false, testResults } };
    };
    const THREE = ['unsteady', 'outside', 'killed'];

    it('run again among three, and not among four', async () => {
      const three = await twice(told(THREE));
      expect(three).toMatchObject({ code: 0, counts: '6 passed, 0 failed' });
      expect(three.runs).toHaveLength(2);
      const four = await twice(told([...THREE, 'skipping']));
      expect(four).toMatchObject({ code: 1, counts: '2 passed, 2 failed, 2 files failed outside their tests' });
      expect(four.runs).toHaveLength(1);
    });

    it('run once only when the options choose tests within files', async () => {
      const once = await twice(told(['unsteady']), { options: ['-t', 'has'] });
      expect(once).toMatchObject({ code: 1, counts: '1 passed, 1 failed' });
      expect(once.runs).toHaveLength(1);
    });

    it('are red, and run once only, after a stop signal', async () => {
      const once = await twice(told(['unsteady']), { isStopped: true });
      expect(once).toMatchObject({ code: 1, counts: '1 passed, 1 failed' });
      expect(once.runs).toHaveLength(1);
    });
  });

  it('are not looked for when jest only lists the files', async () => {
    const listed = await twice(await jestOf('listed', { green: GREEN }, 1), { options: ['--listTests'] });
    expect(listed).toMatchObject({ code: 0, failures: [] });
    expect(listed.runs).toHaveLength(1);
  });

  it('are not looked for when jest ended without a result', async () => {
    const killed = await twice(async () => ({ code: 137, result: undefined }));
    expect(killed).toMatchObject({ code: 137, counts: 'jest ended without a result' });
    expect(killed.runs).toHaveLength(1);
  });
});
