// @ts-check

import { spawn } from 'node:child_process';
import { appendFile, mkdtemp, readdir, rm, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { jestCommand } from './jest-command.mjs';
import { notePassed, readPassed, recordOf, removeOldRecords } from './passed-files.mjs';
import { ended, ROOT } from './processes.mjs';

const DAY_MS = 86_400_000;

describe('the record of the files that passed', () => {
  let folder = '';
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'mailstead-passed-'));
  });
  afterEach(() => rm(folder, { recursive: true }));

  it('has the files whose tests passed, in a run of jest', async () => {
    const files = {
      passes: `it('passes', () => {}); it.skip('is left out', () => {});`,
      fails: `it('passes', () => {}); it('fails', () => { expect(1).toBe(2); });`,
      breaks: `it('passes', () => {}); afterAll(() => { throw new Error('left'); });`,
      skips: `it.skip('is left out', () => {});`,
      loads: `throw new Error('no port');`,
      reads: `it('reads docs/api.md', () => {});`,
    };
    for (const [name, text] of Object.entries(files)) await writeFile(join(folder, `${name}.test.js`), text);
    const record = join(folder, 'records', 'r.txt');
    const config = { transform: {}, testRunner: join(ROOT, 'scripts/timed-runner.mjs') };
    const args = ['--rootDir', folder, '--config', JSON.stringify(config)];
    const child = spawn(process.execPath, jestCommand(args, join(folder, 'result.json'), 1), {
      cwd: ROOT,
      stdio: 'ignore',
      env: { ...process.env, MAILSTEAD_TEST_RECORD: record, MAILSTEAD_TEST_FOLDER: folder },
    });
    expect((await ended(child)).code).toBe(1);
    expect([...(await readPassed(record))]).toEqual(['passes.test.js']);
  });

  it('is empty before the first file, and ignores a line that was cut off', async () => {
    const record = join(folder, 'r.txt');
    expect((await readPassed(record)).size).toBe(0);
    await writeFile(join(folder, 'a.test.ts'), '');
    notePassed(record, folder, 'a.test.ts');
    await appendFile(record, 'b.tes');
    expect([...(await readPassed(record))]).toEqual(['a.test.ts']);
  });

  it('is another one under other circumstances', () => {
    const records = [
      { tree: 'a', seed: 1 },
      { tree: 'b', seed: 1 },
      { tree: 'a', seed: 2 },
    ].map((one) => recordOf(one, folder));
    expect(new Set(records).size).toBe(3);
    expect(recordOf({ tree: 'a', seed: 1 }, folder)).toBe(records[0]);
  });

  it('is removed a week after its last file', async () => {
    const now = Date.now();
    for (const [name, days] of /** @type {const} */ ([
      ['old', 8],
      ['new', 6],
    ])) {
      await writeFile(join(folder, name), '');
      const at = new Date(now - days * DAY_MS);
      await utimes(join(folder, name), at, at);
    }
    await removeOldRecords(folder, now);
    expect(await readdir(folder)).toEqual(['new']);
  });
});
