// @ts-check
import { execFile } from 'node:child_process';
import { cp, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { promisify } from 'node:util';
import { ROOT } from './processes.mjs';

/** `npm test` prints and ends as the environment says; `npm start` is the program beside it. */
const NPM = `#!/bin/sh
if [ "$1" = test ]; then
  printf '%s\\n' "$TESTS_PRINT"
  exit "$TESTS_END"
fi
[ "$START" = ends ] && exit 3
exec node "$(dirname "$0")/service.cjs"
`;
/** Serves what `.ci/start` asks for. */
const SERVICE = `
const { START, PORT } = process.env;
const created = START === 'refuses' ? 500 : 201;
const answer = (request, response) => response.writeHead(request.method === 'POST' ? created : 200).end('{}');
require('node:http').createServer(answer).listen(Number(PORT), '127.0.0.1');
process.on('SIGTERM', () => {
  if (START === 'breaks') console.error('The API ended with exit code 137.');
  process.exit(143);
});
`;
/** In place of `.ci/start`, for what does not depend on it. */
const START_STEP = '[ "$START" = works ] && echo "ci: npm start answered"';
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
    await writeFile(join(folder, 'service.cjs'), SERVICE);
    await cp(join(folder, '.ci'), join(folder, 'short/.ci'), { recursive: true });
    await writeFile(join(folder, 'short/.ci/start'), START_STEP);
  });
  afterAll(() => rm(folder, { recursive: true }));

  /**
   * Runs it; `whole`: with the real `npm start`. Returns its exit code and what it printed.
   * @param {{ print: string, end: string }} tests
   * @param {string} start
   * @param {boolean} whole
   */
  async function run(tests, start, whole) {
    const { code = 0, stdout } = await promisify(execFile)('bash', ['.ci/run'], {
      cwd: whole ? folder : join(folder, 'short'),
      env: {
        PATH: [folder, process.env.PATH].join(delimiter),
        TESTS_PRINT: tests.print,
        TESTS_END: tests.end,
        START: start,
      },
    }).catch((error) => error);
    expect(stdout.startsWith(tests.print)).toBe(true);
    expect(stdout.includes('ci: npm start answered')).toBe(start === 'works');
    return [stdout.trimEnd().split('\n').at(-1), code];
  }

  it.each([
    { what: 'is green when the tests pass and npm start works', start: 'works', last: '12 passed, 0 failed' },
    { what: 'is red when npm start ends', start: 'ends', last: '12 passed, 1 failed' },
    { what: 'is red when npm start creates no domain', start: 'refuses', last: '12 passed, 1 failed' },
    { what: 'is red when npm start has to be killed', start: 'breaks', last: '12 passed, 1 failed' },
  ])('$what', async ({ start, last }) => {
    expect(await run(GREEN, start, true)).toEqual([last, start === 'works' ? 0 : 1]);
  });

  it.each([
    { what: 'is green when a test is unsteady', tests: UNSTEADY, start: 'works', last: '12 passed, 0 failed' },
    { what: 'is red when a test fails', tests: RED, start: 'works', last: '12 passed, 2 failed' },
    { what: 'counts both steps when both fail', tests: RED, start: 'ends', last: '12 passed, 3 failed' },
    { what: 'is red when a test file did not run', tests: FILE_MISSING, start: 'works', last: '12 passed, 1 failed' },
    { what: 'is red when jest gave no result', tests: NO_RESULT, start: 'works', last: '0 passed, 1 failed' },
    { what: 'is red when no test ran', tests: NO_TEST, start: 'works', last: '0 passed, 1 failed' },
  ])('$what', async ({ tests, start, last }) => {
    expect(await run(tests, start, false)).toEqual([last, last.endsWith(' 0 failed') ? 0 : 1]);
  });
});
