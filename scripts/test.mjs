// `npm test [-- jest arguments]`: installs, builds, starts private services, runs jest, clears everything away.
// `npm run test:slow [-- jest arguments]` does the same with the tests that need minutes (`*.slow.test.ts`).
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { availableParallelism, tmpdir } from 'node:os';
import { join } from 'node:path';
import { main, prepare, Stop } from './prepare.mjs';
import { ended, exitCode, guardFolder, killGroup, onParentGone, onStopSignal, spawnGroup } from './processes.mjs';
import { serviceEnvironment, startServices } from './services.mjs';

/** How long jest may take to end after SIGTERM before its whole group is killed. */
const STOP_TIMEOUT_MS = 3_000;

const isSlowRun = process.argv[2] === '--slow';
const jestOptions = process.argv.slice(isSlowRun ? 3 : 2);

await main(async () => {
  let jest;
  let stopped = false;
  let timer;
  const stop = () => {
    stopped = true;
    if (jest === undefined) return;
    killGroup(jest, 'SIGTERM');
    timer ??= setTimeout(() => killGroup(jest, 'SIGKILL'), STOP_TIMEOUT_MS);
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
    throw new Stop(error.message);
  });
  const folder = await mkdtemp(join(tmpdir(), 'mailstead-jest-'));
  guardFolder(folder);
  try {
    if (stopped) return 143;
    const resultFile = join(folder, 'result.json');
    jest = spawnGroup(process.execPath, jestArguments(jestOptions, resultFile), {
      env: {
        ...process.env,
        NODE_ENV: 'test',
        MAILSTEAD_TESTS: isSlowRun ? 'slow' : 'quick',
        ...serviceEnvironment(services),
      },
    });
    const { code, signal } = await ended(jest);
    clearTimeout(timer);
    console.log(await summary(resultFile));
    return stopped ? 143 : exitCode(code, signal);
  } finally {
    await services.stop();
    await rm(folder, { recursive: true, force: true });
  }
});

function jestArguments(own, resultFile) {
  const workers = own.some((argument) => /^(-w|-i|--maxWorkers|--runInBand)/.test(argument))
    ? []
    : [`--maxWorkers=${Math.max(2, availableParallelism() - 1)}`];
  return [
    '--disable-warning=ExperimentalWarning',
    '--experimental-vm-modules',
    'node_modules/jest/bin/jest.js',
    '--json',
    `--outputFile=${resultFile}`,
    ...workers,
    ...own,
  ];
}

/** One last line for who reads only that. */
async function summary(resultFile) {
  const text = await readFile(resultFile, 'utf8').catch(() => undefined);
  if (text === undefined) return 'jest ended without a result';
  const result = JSON.parse(text);
  const skipped = result.numPendingTests + result.numTodoTests;
  const broken = result.numRuntimeErrorTestSuites;
  return [
    `${result.numPassedTests} passed, ${result.numFailedTests} failed`,
    skipped > 0 ? `, ${skipped} skipped` : '',
    broken > 0 ? `, ${broken} files did not run` : '',
  ].join('');
}
