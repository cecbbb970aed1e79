// @ts-check `npm test [-- jest arguments]`: installs, builds, starts private services, runs jest, removes everything it
// started. `npm run test:slow [-- jest arguments]` does the same with the slow tests (`*.slow.test.ts`). Without
// arguments it also runs the tests of what depends on Node on other versions of Node.
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { jestCommand, resultSentence } from './jest-command.mjs';
import { findNode, otherLines } from './node-versions.mjs';
import { main, messageOf, prepare, Stop } from './prepare.mjs';
import { ended, exitCode, guardFolder, killGroup, onParentGone, onStopSignal, spawnGroup } from './processes.mjs';
import { findChromium } from './service-programs.mjs';
import { serviceEnvironment, startServices } from './services.mjs';

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

/** The tests of what depends on Node itself: native modules, HTTP, sockets, files and processes. */
const TESTS_ON_OTHER_NODES = [
  'packages/core/src/(batcher|mutex|with-timeout|limits)',
  'packages/adapters/src/(bcrypt|crypto|dns|dovecot|maildir|network|passwords|smtp|webhooks)/',
  'packages/adapters/src/database/driver/',
  'packages/client/',
  'apps/api/src/(http|events|sessions|bulk|webhooks)/',
  'apps/api/src/domains/domains-controller',
  'apps/policyd/',
  'apps/billing/',
];

const isSlowRun = process.argv[2] === '--slow';
const jestOptions = process.argv.slice(isSlowRun ? 3 : 2);

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
  const given = process.env;
  const services = await startServices({
    mariadb: given.MAILSTEAD_TEST_MARIADB_URL === undefined,
    redis: given.MAILSTEAD_TEST_REDIS_URL === undefined,
    mariadbOptions: WITHOUT_SYNC,
  }).catch((error) => {
    throw new Stop(messageOf(error));
  });
  const folder = await mkdtemp(join(tmpdir(), 'mailstead-jest-'));
  guardFolder(folder);
  /**
   * Runs jest to its end. Returns its exit code and one line with the counts.
   * @param {string} program The Node that runs jest.
   * @param {'slow' | 'quick'} tests
   * @param {readonly string[]} options
   */
  const runJest = async (program, tests, options) => {
    const resultFile = join(folder, 'result.json');
    await rm(resultFile, { force: true });
    jest = spawnGroup(program, jestCommand(options, resultFile), {
      env: {
        ...process.env,
        // A test may start `node`.
        PATH: [dirname(program), process.env.PATH].join(delimiter),
        NODE_ENV: 'test',
        MAILSTEAD_TESTS: tests,
        MAILSTEAD_TEST_CHROMIUM: browser,
        MAILSTEAD_TEST_FOLDER: folder,
        ...serviceEnvironment(services),
      },
    });
    const { code, signal } = await ended(jest);
    const counts = resultSentence(await readFile(resultFile, 'utf8').catch(() => undefined));
    return { code: exitCode(code, signal), counts };
  };
  try {
    if (stopped) return 143;
    const own = await runJest(process.execPath, isSlowRun ? 'slow' : 'quick', jestOptions);
    const codes = [own.code];
    const lines = [own.counts];
    for (const line of isSlowRun && jestOptions.length === 0 ? otherLines() : []) {
      if (stopped) break;
      const other = await findNode(line).catch(messageOf);
      if (typeof other === 'string') {
        lines.unshift(`Node ${line}: skipped, because ${other}`);
        continue;
      }
      console.log(`\nThe tests of what depends on Node, on Node ${other.version}:`);
      const { code, counts } = await runJest(other.program, 'quick', TESTS_ON_OTHER_NODES);
      codes.push(code);
      lines.unshift(`Node ${other.version}: ${counts}`);
    }
    clearTimeout(timer);
    console.log(lines.join('\n'));
    return stopped ? 143 : (codes.find((code) => code !== 0) ?? 0);
  } finally {
    await services.stop();
    await rm(folder, { recursive: true, force: true });
  }
});
