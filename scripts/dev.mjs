// @ts-check
// `npm run dev [-- arguments of the API]`: compiles on every change of a source file (`tsc -b --watch`), and
// restarts the API when a compiled file that it has loaded changes (`node --watch`). Sources with errors are not
// emitted, so the API continues with the last version that compiled.
import { main } from './main.mjs';
import { prepare } from './prepare.mjs';
import { ended, killGroup, onParentGone, onStopSignal, spawnGroup } from './processes.mjs';

/** The API ends within 8 s of SIGTERM; after this time it is killed. */
const STOP_TIMEOUT_MS = 9_500;

const COMPILER = ['node_modules/typescript/bin/tsc', '-b', '--watch', '--preserveWatchOutput', '--pretty'];
const API = ['--watch', '--watch-preserve-output', '--enable-source-maps', 'apps/api/dist/main.js'];

await main(async () => {
  await prepare({ portal: true });
  const compiler = spawnGroup(process.execPath, COMPILER);
  const api = spawnGroup(process.execPath, [...API, ...process.argv.slice(2)]);
  /** @type {NodeJS.Timeout | undefined} */
  let timer;
  const stop = () => {
    killGroup(compiler, 'SIGKILL');
    killGroup(api, 'SIGTERM');
    timer ??= setTimeout(() => killGroup(api, 'SIGKILL'), STOP_TIMEOUT_MS);
  };
  onStopSignal(stop);
  onParentGone(stop);
  // Both end when one of them ends.
  const apiEnd = ended(api);
  await Promise.race([apiEnd, ended(compiler)]);
  stop();
  await apiEnd;
  clearTimeout(timer);
  return 0;
});
