// @ts-check
import { execFile } from 'node:child_process';
import { cp, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { promisify } from 'node:util';
import { ROOT } from './processes.mjs';

/** `npm test` prints and ends as the environment says; `npm start` serves what `.ci/start` asks for. */
const NPM = `#!/usr/bin/env node
const { TESTS_PRINT, TESTS_END, START, PORT } = process.env;
if (process.argv[2] === 'test') {
  console.log(TESTS_PRINT);
  process.exit(Number(TESTS_END));
}
if (START === 'ends') process.exit(3);
const created = START === 'refuses' ? 500 : 201;
const answer = (request, response) => response.writeHead(request.method === 'POST' ? created : 200).end('{}');
require('node:http').createServer(answer).listen(Number(PORT), '127.0.0.1');
process.on('SIGTERM', () => {
  if (START === 'breaks') console.error('The API ended with exit code 137.');
  process.exit(143);
});
`;
/** What `npm test` prints last, and its exit code. */
const GREEN = { print: '12 passed, 0 failed, 1 skipped', end: '0' };
const RED = { print: '12 passed, 2 failed', end: '1' };
const UNSTEADY = { print: 'unsteady: a.test.ts › b: Error: c\n12 passed, 0 failed', end: '0' };
const FILE_MISSING = { print: '12 passed, 0 failed, 1 files failed outside their tests', end: '1' };
const NO_RESULT = { print: 'jest ended without a result', end: '1' };
const NO_TEST = { print: 'Nothing to do.', end: '0' };

describe('.ci/run', () => {
  let folder = '';

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'mailstead-ci-'));
    await cp(join(ROOT, '.ci'), join(folder, '.ci'), { recursive: true });
    await writeFile(join(folder, 'npm'), NPM, { mode: 0o755 });
  });
  afterAll(() => rm(folder, { recursive: true }));

  it.each([
    {
      what: 'is green when the tests pass and npm start works',
      tests: GREEN,
      start: 'works',
      last: '12 passed, 0 failed',
    },
    { what: 'is green when a test is unsteady', tests: UNSTEADY, start: 'works', last: '12 passed, 0 failed' },
    { what: 'is red when a test fails', tests: RED, start: 'works', last: '12 passed, 2 failed' },
    { what: 'is red when npm start ends', tests: GREEN, start: 'ends', last: '12 passed, 1 failed' },
    { what: 'is red when npm start creates no domain', tests: GREEN, start: 'refuses', last: '12 passed, 1 failed' },
    { what: 'is red when npm start has to be killed', tests: GREEN, start: 'breaks', last: '12 passed, 1 failed' },
    { what: 'counts both steps when both fail', tests: RED, start: 'ends', last: '12 passed, 3 failed' },
    { what: 'is red when a test file did not run', tests: FILE_MISSING, start: 'works', last: '12 passed, 1 failed' },
    { what: 'is red when jest gave no result', tests: NO_RESULT, start: 'works', last: '0 passed, 1 failed' },
    { what: 'is red when no test ran', tests: NO_TEST, start: 'works', last: '0 passed, 1 failed' },
  ])('$what', async ({ tests, start, last }) => {
    const { code = 0, stdout } = await promisify(execFile)('bash', ['.ci/run'], {
      cwd: folder,
      env: {
        PATH: [folder, process.env.PATH].join(delimiter),
        TESTS_PRINT: tests.print,
        TESTS_END: tests.end,
        START: start,
      },
    }).catch((error) => error);
    expect([stdout.trimEnd().split('\n').at(-1), code]).toEqual([last, last.endsWith(' 0 failed') ? 0 : 1]);
    expect(stdout.startsWith(tests.print)).toBe(true);
    expect(stdout.includes('ci: npm start answered')).toBe(start === 'works');
  });
});
