// `npm run check`: what has to hold before every commit, in under a minute and without services.
import { main, prepare } from './prepare.mjs';
import { killGroup, onParentGone, onStopSignal, spawnGroup } from './processes.mjs';

const JEST = ['--disable-warning=ExperimentalWarning', '--experimental-vm-modules', 'node_modules/jest/bin/jest.js'];

const CHECKS = [
  { name: 'types', command: [process.execPath, 'node_modules/typescript/bin/tsc', '-p', 'tsconfig.test.json'] },
  { name: 'lint', command: ['node_modules/.bin/oxlint', '--deny-warnings'] },
  { name: 'format', command: ['node_modules/.bin/biome', 'check', '.'] },
  { name: 'core tests', command: [process.execPath, ...JEST, 'packages/core/'] },
];

await main(async () => {
  await prepare({ build: false });
  const running = new Set();
  let stopped = false;
  const stop = () => {
    stopped = true;
    for (const child of running) killGroup(child, 'SIGKILL');
  };
  onStopSignal(stop);
  onParentGone(stop);
  const results = await Promise.all(CHECKS.map((check) => runCheck(check, running)));
  if (stopped) return 143;
  const failed = results.filter(({ passed }) => !passed);
  for (const { name, output } of failed) console.log(`── ${name} ──\n${output.trimEnd()}\n`);
  for (const { name, passed, seconds } of results) {
    console.log(`${passed ? 'ok    ' : 'FAILED'}  ${name.padEnd(12)} ${seconds.toFixed(1)} s`);
  }
  return failed.length === 0 ? 0 : 1;
});

/** Its output is kept and shown only when it fails, so that checks beside each other do not mix theirs. */
function runCheck({ name, command: [program, ...args] }, running) {
  const startedAt = performance.now();
  return new Promise((done) => {
    let output = '';
    const child = spawnGroup(program, args, {
      stdio: ['ignore', 'pipe', 'pipe'],
      env: { ...process.env, NODE_ENV: 'test' },
    });
    running.add(child);
    const finish = (passed) => {
      running.delete(child);
      done({ name, passed, output, seconds: (performance.now() - startedAt) / 1000 });
    };
    for (const stream of [child.stdout, child.stderr])
      stream.setEncoding('utf8').on('data', (text) => (output += text));
    child.once('error', (error) => {
      output += error.message;
      finish(false);
    });
    child.once('close', (code) => finish(code === 0));
  });
}
