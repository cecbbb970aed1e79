// @ts-check
import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir, open, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { buildPortal } from './portal-build.mjs';
import { ROOT, runStep } from './processes.mjs';

const STAMP = join(ROOT, 'node_modules/.mailstead-install');
const LOCK = join(ROOT, '.npm-test/install.lock');
const LOCK_MAX_AGE_MS = 15 * 60_000;

/** Ends a script with a message, without a stack trace. */
export class Stop extends Error {
  /**
   * @param {string} message
   * @param {number} [exitStatus]
   */
  constructor(message, exitStatus = 1) {
    super(message);
    this.exitStatus = exitStatus;
  }
}

/**
 * Runs a script's main function and exits with its result. A `Stop` prints only its message, another error its stack
 * trace.
 * @param {() => Promise<number>} work
 */
export async function main(work) {
  try {
    process.exitCode = await work();
  } catch (error) {
    if (error instanceof Stop) {
      if (error.message !== '') console.error(error.message);
      process.exitCode = error.exitStatus;
      return;
    }
    console.error(error);
    process.exitCode = 1;
  }
}

/**
 * Returns the message of anything that was thrown.
 * @param {unknown} error
 */
export function messageOf(error) {
  return error instanceof Error ? error.message : String(error);
}

/**
 * Updates `node_modules`, unless `build` is false `dist`, and with `portal` the web page, when they are out of date.
 * Waits for another process that does the same. @throws Stop with `stoppedStatus` after a request to stop.
 * @param {{ build?: boolean, portal?: boolean, stoppedStatus?: number }} [options]
 */
export async function prepare({ build = true, portal = false, stoppedStatus = 143 } = {}) {
  if (!build && !portal && (await isInstalled())) return;
  await withLock(stoppedStatus, async () => {
    if (!(await isInstalled())) await install(stoppedStatus);
    await Promise.all([
      build ? step(compile(), 'The build failed. The messages of tsc are above.', stoppedStatus) : null,
      portal
        ? step(buildPortal(), 'The portal could not be built. The messages of Vite are above.', stoppedStatus)
        : null,
    ]);
  });
}

/** @param {number} stoppedStatus */
async function install(stoppedStatus) {
  console.error('Installing the packages of package-lock.json …');
  // The build needs TypeScript, so development packages are installed with any NODE_ENV. No package needs its install
  // script.
  const args = ['ci', '--include=dev', '--ignore-scripts', '--no-audit', '--no-fund'];
  const npm = process.env.npm_execpath;
  const [command, commandArgs] =
    npm !== undefined && /\.[cm]?js$/.test(npm) ? [process.execPath, [npm, ...args]] : ['npm', args];
  // Standard output is reserved for the service.
  /** @type {import('node:child_process').SpawnOptions} */
  const options = { env: installEnvironment(), stdio: ['ignore', 2, 2] };
  const { code, stopped } = await runStep(command, commandArgs, options).catch((error) => {
    throw new Stop(`npm could not be started: ${messageOf(error)}`);
  });
  if (stopped) throw new Stop('', stoppedStatus);
  if (code !== 0) throw new Stop(`npm ci failed with exit code ${code}. Its messages are above.`);
  await writeFile(STAMP, await stampText());
}

function compile() {
  return runStep(process.execPath, ['node_modules/typescript/bin/tsc', '-b'], { stdio: ['ignore', 2, 2] });
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

/**
 * Returns the environment of `npm ci`. npm passes its settings on as npm_config_*. Options of `npm start`, such as
 * --omit, would change the installed packages, so only the settings for the registry and the network are kept.
 */
function installEnvironment() {
  const kept =
    /^npm_config_(registry|cache|userconfig|globalconfig|(https?_?)?proxy|noproxy|ca|cafile|strict_ssl|@.*|\/\/.*)$/i;
  return Object.fromEntries(
    Object.entries(process.env).filter(([name]) => !/^npm_config_/i.test(name) || kept.test(name)),
  );
}

async function isInstalled() {
  const stamp = await readFile(STAMP, 'utf8').catch(() => undefined);
  const wanted = await stampText();
  if (stamp === wanted) return true;
  if (stamp !== undefined && stamp.split('\n')[0] !== wanted.split('\n')[0]) return false;
  if (!(await holdsLockedVersions())) return false;
  await writeFile(STAMP, wanted);
  return true;
}

/** Returns the platform on the first line, and the hash of the platform and the lock file on the second. */
async function stampText() {
  const platform = `${process.version} ${process.platform} ${process.arch}`;
  const lock = await readFile(join(ROOT, 'package-lock.json'));
  return `${platform}\n${createHash('sha256').update(platform).update(lock).digest('hex')}\n`;
}

/**
 * Returns true when `node_modules` has exactly the versions of the lock file, for instance after an `npm install` that
 * added a package. Then no installation is needed.
 */
async function holdsLockedVersions() {
  const installed = await readFile(join(ROOT, 'node_modules/.package-lock.json'), 'utf8').catch(() => undefined);
  if (installed === undefined) return false;
  const { packages: present } = JSON.parse(installed);
  const { packages: wanted } = JSON.parse(await readFile(join(ROOT, 'package-lock.json'), 'utf8'));
  return Object.entries(wanted).every(([path, entry]) => {
    if (!path.includes('node_modules/')) return true;
    const found = present[path];
    if (found === undefined) return entry.optional === true || entry.devOptional === true;
    return found.version === entry.version && existsSync(join(ROOT, path));
  });
}

/**
 * @template T
 * @param {number} stoppedStatus
 * @param {() => Promise<T>} work
 */
async function withLock(stoppedStatus, work) {
  await mkdir(dirname(LOCK), { recursive: true });
  let hasReported = false;
  let stopped = false;
  const stop = () => {
    stopped = true;
  };
  process.once('SIGTERM', stop).once('SIGINT', stop);
  try {
    while (!(await takeLock())) {
      if (!hasReported) console.error('Waiting for another process that installs or builds here …');
      hasReported = true;
      await delay(100);
      if (stopped) throw new Stop('', stoppedStatus);
    }
  } finally {
    process.off('SIGTERM', stop).off('SIGINT', stop);
  }
  try {
    return await work();
  } finally {
    await rm(LOCK, { force: true });
  }
}

async function takeLock() {
  try {
    const file = await open(LOCK, 'wx');
    await file.writeFile(String(process.pid));
    await file.close();
    return true;
  } catch (error) {
    if (/** @type {NodeJS.ErrnoException} */ (error).code !== 'EEXIST') throw error;
  }
  const holder = await readFile(LOCK, 'utf8').catch(() => undefined);
  if (holder === undefined || !(await isAbandoned(holder))) return false;
  // Several processes may find the same abandoned lock, and one of them renames it. A process that renamed a newer lock
  // restores it.
  const aside = `${LOCK}.${process.pid}`;
  await rename(LOCK, aside).catch(() => undefined);
  const moved = await readFile(aside, 'utf8').catch(() => undefined);
  if (moved !== undefined && moved !== holder) await rename(aside, LOCK);
  else await rm(aside, { force: true });
  return false;
}

/** @param {string} holder The process number in the lock file. */
async function isAbandoned(holder) {
  const age = await stat(LOCK).then(
    ({ mtimeMs }) => Date.now() - mtimeMs,
    () => 0,
  );
  // The owner writes its number a moment after it has created the file.
  if (holder === '') return age > 5_000;
  // An earlier process may have had this process's number, for instance in a restarted container.
  if (Number(holder) === process.pid || age > LOCK_MAX_AGE_MS) return true;
  try {
    process.kill(Number(holder), 0);
    return false;
  } catch (error) {
    return /** @type {NodeJS.ErrnoException} */ (error).code === 'ESRCH';
  }
}
