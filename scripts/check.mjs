// @ts-check
// `npm run check`: the checks before every commit. Takes under a minute and needs no services.
import { JEST } from './jest-command.mjs';
import { main } from './main.mjs';
import { prepare } from './prepare.mjs';
import { killGroup, onParentGone, onStopSignal, spawnGroup } from './processes.mjs';

/** @typedef {import('node:child_process').ChildProcess} ChildProcess */
/** @typedef {{ name: string, command: [string, ...string[]] }} Check */

const TSC = 'node_modules/typescript/bin/tsc';

/** @type {Check[]} */
const CHECKS = [
  { name: 'types', command: [process.execPath, TSC, '-p', 'tsconfig.test.json'] },
  { name: 'portal types', command: [process.execPath, TSC, '-p', 'apps/portal/tsconfig.test.json'] },
  { name: 'script types', command: [process.execPath, TSC, '-p', 'tsconfig.scripts.json'] },
  { name: 'lint', command: ['node_modules/.bin/oxlint', '--deny-warnings'] },
  { name: 'format', command: ['node_modules/.bin/biome', 'check', '.'] },
  { name: 'unused code', command: ['node_modules/.bin/knip'] },
  {
    name: 'tests',
    command: [
      process.execPath,
      ...JEST,
      'packages/core/',
      'scripts/',
      'setting-places',
      'apps/portal/src/texts/',
      'packages/bench/src/(page|run)/',
    ],
  },
];

await main(async () => {
  // The type-aware lint resolves imports of other packages by their built declarations.
  await prepare();
  /** @type {Set<ChildProcess>} */
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

/**
 * Runs a check. Its output is collected, so that the outputs of parallel checks are not mixed, and printed only when
 * the check fails.
 * @param {Check} check
 * @param {Set<ChildProcess>} running
 * @returns {Promise<{ name: string, passed: boolean, output: string, seconds: number }>}
 */
function runCheck({ name, command: [program, ...args] }, running) {
  const startedAt = performance.now();
  return new Promise((done) => {
    let output = '';
    const child = spawnGroup(program, args, {
      stdio: ['ignore', 'pipe', 'pipe'],
      env: { ...process.env, NODE_ENV: 'test' },
    });
    running.add(child);
    /** @param {boolean} passed */
    const finish = (passed) => {
      running.delete(child);
      done({ name, passed, output, seconds: (performance.now() - startedAt) / 1000 });
    };
    for (const stream of [child.stdout, child.stderr]) {
      stream?.setEncoding('utf8').on('data', (/** @type {string} */ text) => {
        output += text;
      });
    }
    child.once('error', (error) => {
      output += error.message;
      finish(false);
    });
    child.once('close', (code) => finish(code === 0));
  });
}
