// @ts-check
import { mkdir, open, readFile, rename, rm, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { Stop } from './main.mjs';
import { ROOT } from './processes.mjs';

const LOCK = join(ROOT, '.npm-test/install.lock');
const LOCK_MAX_AGE_MS = 15 * 60_000;

/**
 * Runs `work` while no other process installs or builds here. @throws Stop with `stoppedStatus` after a request to stop
 * while it waits.
 * @template T
 * @param {number} stoppedStatus
 * @param {() => Promise<T>} work
 */
export async function withLock(stoppedStatus, work) {
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
