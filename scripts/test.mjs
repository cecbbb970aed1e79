// @ts-check
// `npm test [-- jest arguments]`: installs, builds, starts private services, runs jest, removes everything it started.
// `npm run test:slow [-- jest arguments]` does the same with the slow tests (`*.slow.test.ts`).
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { jestCommand, resultSentence } from './jest-command.mjs';
import { main, messageOf, prepare, Stop } from './prepare.mjs';
import { ended, exitCode, guardFolder, killGroup, onParentGone, onStopSignal, spawnGroup } from './processes.mjs';
import { serviceEnvironment, startServices } from './services.mjs';

/** The time that jest may take to end after SIGTERM. After it, jest's process group is killed. */
const STOP_TIMEOUT_MS = 3_000;

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

  await prepare();
  if (stopped) return 143;
  const given = process.env;
  const services = await startServices({
    mariadb: given.MAILSTEAD_TEST_MARIADB_URL === undefined,
    redis: given.MAILSTEAD_TEST_REDIS_URL === undefined,
  }).catch((error) => {
    throw new Stop(messageOf(error));
  });
  const folder = await mkdtemp(join(tmpdir(), 'mailstead-jest-'));
  guardFolder(folder);
  try {
    if (stopped) return 143;
    const resultFile = join(folder, 'result.json');
    jest = spawnGroup(process.execPath, jestCommand(jestOptions, resultFile), {
      env: {
        ...process.env,
        NODE_ENV: 'test',
        MAILSTEAD_TESTS: isSlowRun ? 'slow' : 'quick',
        ...serviceEnvironment(services),
      },
    });
    const { code, signal } = await ended(jest);
    clearTimeout(timer);
    console.log(resultSentence(await readFile(resultFile, 'utf8').catch(() => undefined)));
    return stopped ? 143 : exitCode(code, signal);
  } finally {
    await services.stop();
    await rm(folder, { recursive: true, force: true });
  }
});
