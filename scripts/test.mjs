// @ts-check
// `npm test [-- jest arguments]`: installs, builds, starts private services, runs jest, removes everything it
// started. `npm run test:slow` does the same with the slow tests, by groups (slow-groups.mjs): `[-- <group> …]` chooses
// some, `--since <commit>` the files that a change reaches. The files that passed before for the same sources are left
// out, unless `--again` is given. With jest arguments it runs the slow tests that these choose. Further options, before
// those of jest: `--changed` runs the tests of what changed since origin/main; `--mariadb` runs the HTTP tests on
// MariaDB instead of SQLite. Each run of jest has a second one, of the files that failed (second-run.mjs).
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { startHostileServer } from './hostile-servers.mjs';
import { BUSY_WORKERS, jestCommand, WORKERS } from './jest-command.mjs';
import { resultSentence } from './jest-result.mjs';
import { main, messageOf, Stop } from './main.mjs';
import { memoryFolder } from './memory-folder.mjs';
import { RECORDS } from './passed-files.mjs';
import { prepare } from './prepare.mjs';
import { ended, exitCode, guardFolder, killGroup, onParentGone, onStopSignal, ROOT, spawnGroup } from './processes.mjs';
import { keepFailure, runTwice } from './second-run.mjs';
import { findChromium } from './service-programs.mjs';
import { serviceEnvironment, startServices } from './services.mjs';
import { GROUPS } from './slow-groups.mjs';
import { runGroups } from './slow-run.mjs';
import { baseOfChanges, changedSince, treeOfSources } from './sources.mjs';
import { testOptions } from './test-options.mjs';
import { seedOfRun } from './test-seed.mjs';
import { readTimes, slowestFiles, TIMES_FILE } from './test-times.mjs';

/** The time that jest may take to end after SIGTERM. After it, jest's process group is killed. */
const STOP_TIMEOUT_MS = 3_000;

/**
 * Without waiting for the disk, and without a file for each table. A commit still survives the kill of the server, but
 * not of the machine. A server without the first option, which is for tests, only warns.
 */
const WITHOUT_SYNC = [
  '--loose-debug-no-sync',
  '--innodb-flush-log-at-trx-commit=2',
  '--innodb-flush-method=nosync',
  '--innodb-file-per-table=0',
];

/** @typedef {import('./slow-run.mjs').Run} Run */

/** Finds the browser, then starts the services: one after the other, because both may install packages by apt. */
async function startPrograms() {
  const browser = await findChromium();
  const services = await startServices({
    mariadb: process.env.MAILSTEAD_TEST_MARIADB_URL === undefined,
    redis: process.env.MAILSTEAD_TEST_REDIS_URL === undefined,
    mariadbOptions: WITHOUT_SYNC,
  });
  return { browser, services };
}

/**
 * Installs and builds, and starts the programs at the same time. An installation by apt is not broken off when the
 * build fails, because it would leave packages that are not configured.
 */
async function startWhileBuilding() {
  const [built, started] = await Promise.allSettled([prepare({ portal: true }), startPrograms()]);
  if (built.status === 'rejected') {
    if (started.status === 'fulfilled') await started.value.services.stop();
    throw built.reason;
  }
  if (started.status === 'rejected') throw new Stop(messageOf(started.reason));
  return started.value;
}

/** Receives the failures of unsteady files. */
const UNSTEADY = join(ROOT, '.npm-test/unsteady');

await main(async () => {
  const names = GROUPS.map(({ name }) => name);
  const { slow, mariadb, onlyChanged, again, since, groups, jestOptions } = testOptions(process.argv.slice(2), names);
  const seed = seedOfRun(process.env.MAILSTEAD_TEST_SEED);
  const changed = since === undefined ? undefined : changedSince(since);
  // Read before the build: what is changed afterwards is not what runs.
  const tree = groups.length > 0 ? treeOfSources() : undefined;
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
  const isStopped = () => stopped;
  onStopSignal(stop);
  onParentGone(stop);

  // Slow tests write too much for it.
  const memory = slow || process.env.TMPDIR !== undefined ? undefined : await memoryFolder();
  if (memory !== undefined) process.env.TMPDIR = memory;
  const { browser, services } = await startWhileBuilding();
  const folder = await mkdtemp(join(tmpdir(), 'mailstead-jest-'));
  guardFolder(folder);
  /**
   * Runs jest to its end. Prints the times of the files, and returns its exit code and its result.
   * @param {Run} run
   * @param {readonly string[]} args Jest's.
   */
  const runOnce = async ({ record, server: kind, ...run }, args) => {
    const resultFile = join(folder, 'result.json');
    const timesFile = join(folder, TIMES_FILE);
    await rm(resultFile, { force: true });
    await rm(timesFile, { force: true });
    if (stopped) return { code: 143, result: undefined };
    const hostile = kind === undefined ? undefined : await startHostileServer(kind);
    jest = spawnGroup(run.node.program, jestCommand(args, resultFile, run.workers), {
      env: {
        ...process.env,
        // A test may start `node`.
        PATH: [dirname(run.node.program), process.env.PATH].join(delimiter),
        NODE_ENV: 'test',
        ...(run.zone === undefined ? {} : { TZ: run.zone }),
        MAILSTEAD_TESTS: run.tests,
        MAILSTEAD_TEST_SEED: String(seed),
        MAILSTEAD_TEST_HTTP_DATABASE: run.mariadb ? 'mariadb' : 'sqlite',
        MAILSTEAD_TEST_CHROMIUM: browser,
        MAILSTEAD_TEST_FOLDER: folder,
        MAILSTEAD_TEST_RECORD: record,
        ...serviceEnvironment(services),
        ...hostile?.environment,
        ...(hostile === undefined ? {} : serviceEnvironment({ mariadbUrl: hostile.url })),
      },
    });
    const { code, signal } = await ended(jest);
    await hostile?.stop();
    console.log(slowestFiles(await readTimes(timesFile)).join('\n'));
    const result = await readFile(resultFile, 'utf8').catch(() => undefined);
    return { code: exitCode(code, signal), result: result === undefined ? undefined : JSON.parse(result) };
  };
  /**
   * @param {Run} run
   * @param {readonly string[]} args
   */
  const runJest = (run, args) =>
    runTwice((chosen) => runOnce(run, chosen), args, {
      isStopped,
      keep: (file) => {
        const place = `Node ${run.node.version}, HTTP on ${run.mariadb ? 'MariaDB' : 'SQLite'}${run.zone === undefined ? '' : `, ${run.zone}`}`;
        return keepFailure(UNSTEADY, file, { place, seed });
      },
    });
  const node = { version: process.version, program: process.execPath };
  try {
    if (stopped) return 143;
    const { code, files, failures, lines } =
      groups.length > 0
        ? await runGroups(groups, runJest, {
            node,
            changed,
            again,
            tree,
            treeNow: treeOfSources,
            seed,
            records: RECORDS,
            isStopped,
          })
        : {
            ...(await runJest(
              {
                node,
                mariadb,
                ...(slow ? { tests: 'slow', workers: BUSY_WORKERS } : { tests: 'quick', workers: WORKERS }),
              },
              onlyChanged ? [`--changedSince=${baseOfChanges()}`, ...jestOptions] : jestOptions,
            )),
            lines: [],
          };
    clearTimeout(timer);
    const seedLine = `seed of the cases that tests draw: ${seed}`;
    console.log([...failures, ...lines, seedLine, resultSentence(files)].join('\n'));
    return stopped ? 143 : code;
  } finally {
    await services.stop();
    await rm(memory ?? folder, { recursive: true, force: true });
  }
});
