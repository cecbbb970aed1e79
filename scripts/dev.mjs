// `npm run dev`: builds on every change and runs the API again after each build that worked.
import { main, prepare } from './prepare.mjs';
import { ended, exitCode, killGroup, onParentGone, onStopSignal, ROOT, spawnGroup } from './processes.mjs';

const STOP_TIMEOUT_MS = 9_500;

await main(async () => {
  await prepare();
  // The wrapper of tsc leaves its native child behind when it is killed alone, so both are groups.
  const compiler = spawnGroup(process.execPath, [
    'node_modules/typescript/bin/tsc',
    '-b',
    '-w',
    '--preserveWatchOutput',
  ]);
  // --watch follows whatever the API has loaded, from all workspaces.
  const api = spawnGroup(
    process.execPath,
    ['--watch', '--watch-preserve-output', '--enable-source-maps', 'apps/api/dist/main.js', ...process.argv.slice(2)],
    { cwd: ROOT },
  );
  let stopped = false;
  let timer;
  const stop = () => {
    stopped = true;
    for (const child of [compiler, api]) killGroup(child, 'SIGTERM');
    timer ??= setTimeout(() => {
      for (const child of [compiler, api]) killGroup(child, 'SIGKILL');
    }, STOP_TIMEOUT_MS);
  };
  onStopSignal(stop);
  onParentGone(stop);
  const ends = [compiler, api].map((child) => ended(child));
  const { code, signal } = await Promise.race(ends);
  const wasStopped = stopped;
  stop();
  await Promise.all(ends);
  clearTimeout(timer);
  return wasStopped ? 0 : exitCode(code, signal);
});
