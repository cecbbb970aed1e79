import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir, open, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { ROOT, runStep } from './processes.mjs';

const STAMP = join(ROOT, 'node_modules/.mailstead-install');
const LOCK = join(ROOT, '.npm-test/install.lock');
const LOCK_MAX_AGE_MS = 15 * 60_000;

/** Thrown where the message alone is what the person at the terminal needs. `exitStatus` is what to exit with. */
export class Stop extends Error {
  constructor(message, exitStatus = 1) {
    super(message);
    this.exitStatus = exitStatus;
  }
}

/** Runs a script's main function. A `Stop` ends it with its message, anything else with the stack. */
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
 * Brings `node_modules` and, unless `build` is false, `dist` up to date with the checkout. Quick when they are.
 * Another process that does the same is waited for. A request to stop ends it with `Stop(…, stoppedStatus)`.
 */
export async function prepare({ build = true, stoppedStatus = 143 } = {}) {
  if (!build && (await isInstalled())) return;
  await withLock(stoppedStatus, async () => {
    if (!(await isInstalled())) await install(stoppedStatus);
    if (build) await compile(stoppedStatus);
  });
}

async function install(stoppedStatus) {
  console.error('Installing the packages of package-lock.json …');
  // The build needs TypeScript, so development packages come along whatever NODE_ENV says; no package needs its
  // install script.
  const args = ['ci', '--include=dev', '--ignore-scripts', '--no-audit', '--no-fund'];
  const npm = process.env.npm_execpath;
  const [command, commandArgs] =
    npm !== undefined && /\.[cm]?js$/.test(npm) ? [process.execPath, [npm, ...args]] : ['npm', args];
  // Standard output stays the service's own.
  const options = { env: installEnvironment(), stdio: ['ignore', 2, 2] };
  const { code, stopped } = await runStep(command, commandArgs, options).catch((error) => {
    throw new Stop(`npm could not be started: ${error.message}`);
  });
  if (stopped) throw new Stop('', stoppedStatus);
  if (code !== 0) throw new Stop(`npm ci failed with exit code ${code}. Its messages are above.`);
  await writeFile(STAMP, await stampText());
}

async function compile(stoppedStatus) {
  const { code, stopped } = await runStep(process.execPath, ['node_modules/typescript/bin/tsc', '-b'], {
    stdio: ['ignore', 2, 2],
  });
  if (stopped) throw new Stop('', stoppedStatus);
  if (code !== 0) throw new Stop('The build failed. The messages of tsc are above.');
}

/**
 * npm hands its settings down as npm_config_*. Those of `npm start` (a --workspace, an --omit) would change what is
 * installed; only where packages come from is kept.
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

/** The platform on the first line, the hash of it and the lock file on the second. */
async function stampText() {
  const platform = `${process.version} ${process.platform} ${process.arch}`;
  const lock = await readFile(join(ROOT, 'package-lock.json'));
  return `${platform}\n${createHash('sha256').update(platform).update(lock).digest('hex')}\n`;
}

/**
 * True when `node_modules` came from an `npm install` (as after adding a package) that left exactly the versions of the
 * lock file: installing again would only take time.
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

async function withLock(stoppedStatus, work) {
  await mkdir(dirname(LOCK), { recursive: true });
  let told = false;
  let stopped = false;
  const stop = () => {
    stopped = true;
  };
  process.once('SIGTERM', stop).once('SIGINT', stop);
  try {
    while (!(await takeLock())) {
      if (!told) console.error('Waiting for another process that installs or builds here …');
      told = true;
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
    if (error.code !== 'EEXIST') throw error;
  }
  const holder = await readFile(LOCK, 'utf8').catch(() => undefined);
  if (holder === undefined || !(await isAbandoned(holder))) return false;
  // Of several that see the same abandoned lock one renames it; who renamed a fresh one by mistake puts it back.
  const aside = `${LOCK}.${process.pid}`;
  await rename(LOCK, aside).catch(() => undefined);
  const moved = await readFile(aside, 'utf8').catch(() => undefined);
  if (moved !== undefined && moved !== holder) await rename(aside, LOCK);
  else await rm(aside, { force: true });
  return false;
}

async function isAbandoned(holder) {
  const age = await stat(LOCK).then(
    ({ mtimeMs }) => Date.now() - mtimeMs,
    () => 0,
  );
  // A holder between creating the file and writing its number has a moment for it.
  if (holder === '') return age > 5_000;
  // Our own number is that of a process before us, as in a container that starts again.
  if (Number(holder) === process.pid || age > LOCK_MAX_AGE_MS) return true;
  try {
    process.kill(Number(holder), 0);
    return false;
  } catch (error) {
    return error.code === 'ESRCH';
  }
}
