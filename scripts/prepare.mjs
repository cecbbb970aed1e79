// @ts-check
import { accessSync, constants, existsSync, readdirSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { install, isInstalled } from './install.mjs';
import { withLock } from './install-lock.mjs';
import { Stop } from './main.mjs';
import { buildPortal } from './portal-build.mjs';
import { ROOT, runStep } from './processes.mjs';
import { withProgress } from './progress.mjs';

/**
 * Updates `node_modules`, unless `build` is false `dist`, and with `portal` the web page, when they are out of date.
 * Waits for another process that does the same. @throws Stop with `stoppedStatus` after a request to stop.
 * @param {object} [options]
 * @param {boolean} [options.testTools] False where the packages and the code that only tests and benchmarks need may be
 * missing.
 * @param {boolean} [options.build]
 * @param {boolean} [options.portal]
 * @param {number} [options.stoppedStatus]
 * @param {boolean} [options.isSilent] Whether a build that succeeds says nothing.
 */
export async function prepare({
  testTools = true,
  build = true,
  portal = false,
  stoppedStatus = 143,
  isSilent = false,
} = {}) {
  if (!build && !portal && (await isInstalled(testTools))) return;
  const closed = foldersWrittenTo().find((folder) => !isWritable(folder));
  if (closed !== undefined) {
    throw new Stop(`Mailstead installs packages and builds in its folder, but this user cannot write to ${closed}.`);
  }
  await withLock(stoppedStatus, async () => {
    if (!(await isInstalled(testTools))) await install({ testTools, stoppedStatus });
    const built = () =>
      Promise.all([
        build ? step(compile(testTools), 'The build failed. The messages of tsc are above.', stoppedStatus) : null,
        portal
          ? step(buildPortal(), 'The portal could not be built. The messages of Vite are above.', stoppedStatus)
          : null,
      ]);
    await (isSilent ? built() : withProgress(portal ? 'Building the service and the portal' : 'Building', built));
  });
}

/** Those that exist, of the folders that an installation and a build write to. */
function foldersWrittenTo() {
  const workspaces = ['apps', 'packages'].flatMap((group) =>
    readdirSync(join(ROOT, group)).map((name) => join(ROOT, group, name)),
  );
  const own = [resolve(ROOT), ...['.npm-test', 'node_modules'].map((name) => join(ROOT, name))];
  return [...own, ...workspaces, ...workspaces.map((folder) => join(folder, 'dist'))].filter((path) =>
    existsSync(path),
  );
}

/** @param {string} folder */
function isWritable(folder) {
  try {
    accessSync(folder, constants.W_OK);
    return true;
  } catch {
    return false;
  }
}

/** @param {boolean} testTools The benchmarks and the types of the portal need packages that the service does not. */
function compile(testTools) {
  const projects = testTools ? [] : ['tsconfig.product.json'];
  const args = ['node_modules/typescript/bin/tsc', '-b', ...projects];
  return runStep(process.execPath, args, { stdio: ['ignore', 2, 2] });
}

/**
 * @param {Promise<{ code: number, stopped: boolean }>} running
 * @param {string} failure
 * @param {number} stoppedStatus
 */
async function step(running, failure, stoppedStatus) {
  const { code, stopped } = await running;
  if (stopped) throw new Stop('', stoppedStatus);
  if (code !== 0) throw new Stop(failure);
}
