// @ts-check
// `npm test [-- jest arguments]`: installs, builds, starts private services, runs jest, removes everything it
// started. `npm run test:slow [-- jest arguments]` does the same with the slow tests (`*.slow.test.ts`,
// `*.sampled.test.ts`). Without arguments it also runs the HTTP tests on MariaDB, and the tests of what depends on Node
// on other versions of Node. Options of its own, before those of jest: `--changed` runs the tests of what changed since
// origin/main; `--mariadb` runs the HTTP tests on MariaDB instead of SQLite; `--part-of=<n>` runs one of n parts of the
// slow tests, chosen by the seed of the run (`MAILSTEAD_TEST_SEED`), for a run whose time is limited.
import { execFileSync } from 'node:child_process';
import { randomInt } from 'node:crypto';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { jestCommand } from './jest-command.mjs';
import { failureLines, resultSentence } from './jest-result.mjs';
import { main, messageOf, Stop } from './main.mjs';
import { findNode, otherLines, TESTS_ON_OTHER_NODES } from './node-versions.mjs';
import { prepare } from './prepare.mjs';
import { ended, exitCode, guardFolder, killGroup, onParentGone, onStopSignal, spawnGroup } from './processes.mjs';
import { findChromium } from './service-programs.mjs';
import { serviceEnvironment, startServices } from './services.mjs';
import { readTimes, slowestFiles, TIMES_FILE, tooHeavy } from './test-times.mjs';

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

/** The HTTP tests, which run on one database: on SQLite when nothing else is asked for. */
const HTTP_TESTS = 'apps/api/src/';

/** Chooses the cases of sampled tests. */
const SEED = process.env.MAILSTEAD_TEST_SEED ?? String(randomInt(1_000_000));

const PART_OF = /^--part-of=([1-9]\d*)$/;
const OWN_OPTIONS = ['--slow', '--changed', '--mariadb'];
const given = process.argv.slice(2);
const isSlowRun = given.includes('--slow');
const isOnMariadb = given.includes('--mariadb');
const parts = Number(given.map((option) => PART_OF.exec(option)?.[1]).find((found) => found !== undefined) ?? 1);
/** As jest's option `--shard` takes it. */
const part = `${(Number(SEED) % parts) + 1}/${parts}`;
const jestOptions = given.filter((option) => !OWN_OPTIONS.includes(option) && !PART_OF.test(option));
if (given.includes('--changed')) jestOptions.unshift(`--changedSince=${baseOfChanges()}`);

await main(async () => {
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
   * Runs jest to its end. Returns its exit code, one line with the counts, a line for each failure, and the files that
   * took too much processor time.
   * @param {string} program The Node that runs jest.
   * @param {{ tests: 'slow' | 'quick', mariadb: boolean }} kind
   * @param {readonly string[]} options
   */
  const runJest = async (program, { tests, mariadb }, options) => {
    const resultFile = join(folder, 'result.json');
    const timesFile = join(folder, TIMES_FILE);
    await rm(resultFile, { force: true });
    await rm(timesFile, { force: true });
    jest = spawnGroup(program, jestCommand(options, resultFile, tests), {
      env: {
        ...process.env,
        // A test may start `node`.
        PATH: [dirname(program), process.env.PATH].join(delimiter),
        NODE_ENV: 'test',
        MAILSTEAD_TESTS: tests,
        MAILSTEAD_TEST_SEED: SEED,
        MAILSTEAD_TEST_HTTP_DATABASE: mariadb ? 'mariadb' : 'sqlite',
        MAILSTEAD_TEST_CHROMIUM: browser,
        MAILSTEAD_TEST_FOLDER: folder,
        ...serviceEnvironment(services),
      },
    });
    const { code, signal } = await ended(jest);
    const result = await readFile(resultFile, 'utf8').catch(() => undefined);
    const times = await readTimes(timesFile);
    console.log(slowestFiles(times).join('\n'));
    return {
      code: exitCode(code, signal),
      counts: resultSentence(result),
      failures: failureLines(result, process.cwd()),
      heavy: tests === 'quick' && options.length === 0 ? tooHeavy(times) : [],
    };
  };
  try {
    if (stopped) return 143;
    const own = await runJest(
      process.execPath,
      { tests: isSlowRun ? 'slow' : 'quick', mariadb: isOnMariadb },
      parts === 1 ? jestOptions : [`--shard=${part}`, ...jestOptions],
    );
    const codes = [own.code];
    const failures = [...own.failures];
    const lines = [...own.heavy, ...aboutTheSeed(), own.counts];
    // Whether a file is a little above the limit varies between runs, so only CI fails.
    if (own.heavy.length > 0 && process.env.CI !== undefined) codes.push(1);
    const isWhole = isSlowRun && jestOptions.length === 0;
    if (isWhole && !stopped) {
      console.log('\nThe HTTP tests, on MariaDB:');
      const onMariadb = await runJest(process.execPath, { tests: 'quick', mariadb: true }, [HTTP_TESTS]);
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
      const onOther = await runJest(other.program, { tests: 'quick', mariadb: false }, TESTS_ON_OTHER_NODES);
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

/** Returns what the seed of the run chose, in at most one line. */
function aboutTheSeed() {
  if (parts > 1) return [`part ${part} of the files, by seed ${SEED}`];
  return isSlowRun ? [] : [`seed of the samples: ${SEED}`];
}

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
