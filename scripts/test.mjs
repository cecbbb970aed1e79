// @ts-check
// `npm test [-- jest arguments]`: installs, builds, starts private services, runs jest, removes everything it
// started. `npm run test:slow [-- jest arguments]` does the same with the slow tests (`*.slow.test.ts`,
// `*.sampled.test.ts`). Without arguments it also runs the HTTP tests on MariaDB, and the tests of what depends on Node
// on other versions of Node. Options of its own, before those of jest: `--changed` runs the tests of what changed since
// origin/main; `--mariadb` runs the HTTP tests on MariaDB instead of SQLite. Each run of jest has a second one, of the
// files that failed (second-run.mjs).
import { execFileSync } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { jestCommand } from './jest-command.mjs';
import { main, messageOf, Stop } from './main.mjs';
import { findNode, otherLines, TESTS_ON_OTHER_NODES } from './node-versions.mjs';
import { prepare } from './prepare.mjs';
import { ended, exitCode, guardFolder, killGroup, onParentGone, onStopSignal, ROOT, spawnGroup } from './processes.mjs';
import { keepFailure, runTwice } from './second-run.mjs';
import { findChromium } from './service-programs.mjs';
import { serviceEnvironment, startServices } from './services.mjs';
import { seedOfRun } from './test-seed.mjs';
import { readTimes, slowestFiles, TIMES_FILE } from './test-times.mjs';

/** The time that jest may take to end after SIGTERM. After it, jest's process group is killed. */
const STOP_TIMEOUT_MS = 3_000;

/**
 * Without waiting for the disk, and without a file for each table. A commit still survives the kill of the server, but
 * not of the machine.
 */
const WITHOUT_SYNC = [
  '--innodb-flush-log-at-trx-commit=2',
  '--innodb-flush-method=nosync',
  '--innodb-file-per-table=0',
];

/** @typedef {{ tests: 'slow' | 'quick', mariadb: boolean }} Kind */

/** The HTTP tests, which run on one database: on SQLite when nothing else is asked for. */
const HTTP_TESTS = 'apps/api/src/';

/** Receives the failures of unsteady files. */
const UNSTEADY = join(ROOT, '.npm-test/unsteady');

const OWN_OPTIONS = ['--slow', '--changed', '--mariadb'];
const given = process.argv.slice(2);
const isSlowRun = given.includes('--slow');
const isOnMariadb = given.includes('--mariadb');
const jestOptions = given.filter((option) => !OWN_OPTIONS.includes(option));
if (given.includes('--changed')) jestOptions.unshift(`--changedSince=${baseOfChanges()}`);

await main(async () => {
  const seed = seedOfRun(process.env.MAILSTEAD_TEST_SEED);
  /** @type {import('node:child_process').ChildProcess | undefined} */
  let jest;
  let stopped = false;
  /** @type {NodeJS.Timeout | undefined} */
  let timer;
  const stop = () => {
    stopped = true;
    if (jest === undefined) return;
    const running = jest;
    killGroup(running, 'SIGTERM');
    timer ??= setTimeout(() => killGroup(running, 'SIGKILL'), STOP_TIMEOUT_MS);
  };
  onStopSignal(stop);
  onParentGone(stop);

  await prepare({ portal: true });
  if (stopped) return 143;
  const browser = await findChromium().catch((error) => {
    throw new Stop(messageOf(error));
  });
  const services = await startServices({
    mariadb: process.env.MAILSTEAD_TEST_MARIADB_URL === undefined,
    redis: process.env.MAILSTEAD_TEST_REDIS_URL === undefined,
    mariadbOptions: WITHOUT_SYNC,
  }).catch((error) => {
    throw new Stop(messageOf(error));
  });
  const folder = await mkdtemp(join(tmpdir(), 'mailstead-jest-'));
  guardFolder(folder);
  /**
   * Runs jest to its end. Prints the times of the files, and returns its exit code and its result.
   * @param {string} program The Node that runs jest.
   * @param {Kind} kind
   * @param {readonly string[]} options
   */
  const runOnce = async (program, { tests, mariadb }, options) => {
    const resultFile = join(folder, 'result.json');
    const timesFile = join(folder, TIMES_FILE);
    await rm(resultFile, { force: true });
    await rm(timesFile, { force: true });
    if (stopped) return { code: 143, result: undefined };
    jest = spawnGroup(program, jestCommand(options, resultFile, tests), {
      env: {
        ...process.env,
        // A test may start `node`.
        PATH: [dirname(program), process.env.PATH].join(delimiter),
        NODE_ENV: 'test',
        MAILSTEAD_TESTS: tests,
        MAILSTEAD_TEST_SEED: String(seed),
        MAILSTEAD_TEST_HTTP_DATABASE: mariadb ? 'mariadb' : 'sqlite',
        MAILSTEAD_TEST_CHROMIUM: browser,
        MAILSTEAD_TEST_FOLDER: folder,
        ...serviceEnvironment(services),
      },
    });
    const { code, signal } = await ended(jest);
    console.log(slowestFiles(await readTimes(timesFile)).join('\n'));
    const result = await readFile(resultFile, 'utf8').catch(() => undefined);
    return { code: exitCode(code, signal), result: result === undefined ? undefined : JSON.parse(result) };
  };
  /**
   * @param {import('./node-versions.mjs').NodeProgram} node
   * @param {Kind} kind
   * @param {readonly string[]} options
   */
  const runJest = ({ version, program }, kind, options) =>
    runTwice((chosen) => runOnce(program, kind, chosen), options, {
      isStopped: () => stopped,
      keep: (file) => {
        const place = `Node ${version}, HTTP on ${kind.mariadb ? 'MariaDB' : 'SQLite'}`;
        return keepFailure(UNSTEADY, file, { place, seed });
      },
    });
  const node = { version: process.version, program: process.execPath };
  try {
    if (stopped) return 143;
    const own = await runJest(node, { tests: isSlowRun ? 'slow' : 'quick', mariadb: isOnMariadb }, jestOptions);
    const codes = [own.code];
    const failures = [...own.failures];
    const lines = [`seed of the cases that tests draw: ${seed}`, own.counts];
    const isWhole = isSlowRun && jestOptions.length === 0;
    if (isWhole && !stopped) {
      console.log('\nThe HTTP tests, on MariaDB:');
      const onMariadb = await runJest(node, { tests: 'quick', mariadb: true }, [HTTP_TESTS]);
      codes.push(onMariadb.code);
      failures.push(...onMariadb.failures);
      lines.unshift(`HTTP on MariaDB: ${onMariadb.counts}`);
    }
    for (const line of isWhole ? otherLines() : []) {
      if (stopped) break;
      const other = await findNode(line).catch(messageOf);
      if (typeof other === 'string') {
        lines.unshift(`Node ${line}: skipped, because ${other}`);
        continue;
      }
      console.log(`\nThe tests of what depends on Node, on Node ${other.version}:`);
      const onOther = await runJest(other, { tests: 'quick', mariadb: false }, TESTS_ON_OTHER_NODES);
      codes.push(onOther.code);
      failures.push(...onOther.failures);
      lines.unshift(`Node ${other.version}: ${onOther.counts}`);
    }
    clearTimeout(timer);
    console.log([...failures, ...lines].join('\n'));
    return stopped ? 143 : (codes.find((code) => code !== 0) ?? 0);
  } finally {
    await services.stop();
    await rm(folder, { recursive: true, force: true });
  }
});

/**
 * Returns the commit since which changes count: where this branch left origin/main, or HEAD when there is no such
 * branch.
 */
function baseOfChanges() {
  try {
    return execFileSync('git', ['merge-base', 'origin/main', 'HEAD'], { encoding: 'utf8', stdio: 'pipe' }).trim();
  } catch {
    return 'HEAD';
  }
}
