// `npm run dev`: builds on every change of a source and runs the API again after each build that worked.
import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { main, prepare } from './prepare.mjs';
import { ended, killGroup, onParentGone, onStopSignal, ROOT, spawnGroup } from './processes.mjs';

/** `tsc -b -w` and `node --watch` miss changes now and then; a few hundred file times are read in milliseconds. */
const LOOK_EVERY_MS = 400;
const STOP_TIMEOUT_MS = 9_500;

await main(async () => {
  const stop = new AbortController();
  onStopSignal(() => stop.abort());
  onParentGone(() => stop.abort());
  await prepare();
  let seen = await newestSource();
  let api = startApi();
  while (!stop.signal.aborted) {
    await delay(LOOK_EVERY_MS);
    const now = await newestSource();
    if (now === seen) continue;
    seen = now;
    const startedAt = performance.now();
    const build = spawnGroup(process.execPath, ['node_modules/typescript/bin/tsc', '-b', '--pretty']);
    const { code } = await ended(build);
    console.error(`build ${code === 0 ? 'ok' : 'FAILED'} (${Math.round(performance.now() - startedAt)} ms)`);
    if (code !== 0 || stop.signal.aborted) continue;
    await stopApi(api);
    api = startApi();
  }
  await stopApi(api);
  return 0;
});

function startApi() {
  const args = ['--enable-source-maps', 'apps/api/dist/main.js', ...process.argv.slice(2)];
  const child = spawnGroup(process.execPath, args);
  const end = ended(child);
  end.then(
    ({ code }) => code !== 0 && console.error('The API ended; it starts again with the next change.'),
    () => undefined,
  );
  return { child, end };
}

async function stopApi({ child, end }) {
  if (child.exitCode === null && child.signalCode === null) killGroup(child, 'SIGTERM');
  const timer = setTimeout(() => killGroup(child, 'SIGKILL'), STOP_TIMEOUT_MS);
  await end;
  clearTimeout(timer);
}

/** Changes when a source is written, added or removed. */
async function newestSource() {
  const folders = await Promise.all(
    ['apps', 'packages'].map(async (group) =>
      (await readdir(join(ROOT, group))).map((name) => join(ROOT, group, name, 'src')),
    ),
  );
  let count = 0;
  let newest = 0;
  for (const folder of folders.flat()) {
    const entries = await readdir(folder, { recursive: true, withFileTypes: true }).catch(() => []);
    const files = entries
      .filter((entry) => entry.isFile())
      .map((entry) => join(entry.parentPath ?? entry.path, entry.name));
    count += files.length;
    // A file that an editor is just replacing counts as missing, which is a change too.
    const times = await Promise.all(
      files.map((file) =>
        stat(file).then(
          ({ mtimeMs }) => mtimeMs,
          () => 0,
        ),
      ),
    );
    newest = Math.max(newest, ...times);
  }
  return `${count} ${newest}`;
}
