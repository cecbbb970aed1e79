// @ts-check
// `npm run test:trixie [-- jest arguments]`: runs the mail suites, and the adapters' tests of databases and queues, on
// Debian 13 (trixie): Postfix 3.10, Dovecot 2.4, MariaDB 11.8 and Valkey 8, in a root that debootstrap makes. Needs
// root on Linux. `--short`, before the arguments of jest, runs one suite: the rendered files are accepted by both
// programs without warnings, and messages come in, are read and leave.
import { chmod, mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { debianRoot, missingForRoot, spawnInRoot } from './debian-root.mjs';
import { jestCommand } from './jest-command.mjs';
import { failureLines, resultSentence } from './jest-result.mjs';
import { main, messageOf } from './main.mjs';
import { prepare } from './prepare.mjs';
import { ended, exitCode, guardFolder, killGroup, onParentGone, onStopSignal } from './processes.mjs';
import { seedOfRun } from './test-seed.mjs';

/** The time that the tests may take to end after SIGTERM, with their servers. */
const STOP_TIMEOUT_MS = 10_000;

/** @typedef {{ tests: 'slow' | 'quick', paths: string[] }} Run */

/** @type {Run[]} */
const WHOLE = [
  { tests: 'slow', paths: ['packages/mail-stack/'] },
  // The service's own MariaDB and its queue: migrations, contracts and races on both, jobs.
  { tests: 'quick', paths: ['packages/mail-stack/', 'packages/adapters/'] },
];
/** @type {Run[]} */
const SHORT = [{ tests: 'quick', paths: ['mail-stack/src/mail-delivery'] }];

const given = process.argv.slice(2);
const isShort = given[0] === '--short';
const jestOptions = isShort ? given.slice(1) : given;

await main(async () => {
  const seed = seedOfRun(process.env.MAILSTEAD_TEST_SEED);
  /** @type {import('node:child_process').ChildProcess | undefined} */
  let running;
  let stopped = false;
  /** @type {NodeJS.Timeout | undefined} */
  let timer;
  const stop = () => {
    stopped = true;
    if (running === undefined) return;
    const child = running;
    killGroup(child, 'SIGTERM');
    timer ??= setTimeout(() => killGroup(child, 'SIGKILL'), STOP_TIMEOUT_MS);
  };
  onStopSignal(stop);
  onParentGone(stop);

  const missing = await missingForRoot();
  const root = missing ?? (await debianRoot().then((path) => ({ path }), messageOf));
  if (stopped) return 143;
  if (typeof root === 'string') {
    console.log(`Debian 13: skipped, because ${root}`);
    return process.env.CI === undefined ? 0 : 1;
  }
  await prepare();
  if (stopped) return 143;
  const folder = await mkdtemp(join(tmpdir(), 'mailstead-trixie-'));
  guardFolder(folder);
  await chmod(folder, 0o1777);
  try {
    /** @type {number[]} */
    const codes = [];
    /** @type {string[]} */
    const lines = [`seed of the cases that tests draw: ${seed}`];
    for (const { tests, paths } of runs()) {
      if (stopped) break;
      const command = jestCommand([...jestOptions, ...paths], '/tmp/result.json');
      await rm(join(folder, 'result.json'), { force: true });
      running = spawnInRoot(root.path, ['node', 'scripts/services.mjs', '--', 'node', ...command], {
        temporary: folder,
        env: {
          CI: process.env.CI,
          NODE_ENV: 'test',
          MAILSTEAD_TESTS: tests,
          MAILSTEAD_TEST_HTTP_DATABASE: 'mariadb',
          MAILSTEAD_TEST_FOLDER: '/tmp',
          MAILSTEAD_TEST_SEED: String(seed),
        },
      });
      const { code, signal } = await ended(running);
      running = undefined;
      codes.push(exitCode(code, signal));
      const json = await readFile(join(folder, 'result.json'), 'utf8').catch(() => undefined);
      /** @type {import('./jest-result.mjs').FileResult[] | undefined} */
      const files = json === undefined ? undefined : JSON.parse(json).testResults;
      const failed = (files ?? []).filter(({ status }) => status === 'failed');
      lines.push(...failureLines('failed', failed), `Debian 13, ${tests} tests: ${resultSentence(files)}`);
    }
    clearTimeout(timer);
    console.log(lines.join('\n'));
    return stopped ? 143 : (codes.find((code) => code !== 0) ?? 0);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
});

/** Returns what to run: the paths of the command line, as slow tests when their name says so, or everything. */
function runs() {
  const paths = jestOptions.filter((option) => option.includes('/'));
  if (isShort) return SHORT;
  if (paths.length === 0) return WHOLE;
  const isSlow = paths.some((path) => /\.(slow|sampled)\./.test(path));
  return [/** @type {Run} */ ({ tests: isSlow ? 'slow' : 'quick', paths: [] })];
}
