// @ts-check
import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { Stop } from './main.mjs';
import { ended, exitCode, onParentGone, onStopSignal, ROOT } from './processes.mjs';

/** KILL_AFTER_SECONDS without the setting: the service ends within 8 s, on a machine that is not overloaded. */
const KILL_AFTER_SECONDS = 9.5;
const LONGEST_SECONDS = 3_600;

/**
 * Runs the API in npm's process group, so that a signal to the group reaches it, and returns its exit code. A signal to
 * this process only is passed on to the API. When npm has ended, the API is stopped.
 * @param {string[]} args
 * @param {{ stoppedStatus: number, env?: NodeJS.ProcessEnv, entry?: string }} options `stoppedStatus` is returned
 * when the API ended by a passed-on signal before it could handle signals.
 */
export async function runApi(args, { stoppedStatus, env = process.env, entry = 'apps/api/dist/main.js' }) {
  const stopTimeoutMs = readStopTimeoutMs();
  if (!existsSync(join(ROOT, entry))) throw new Stop(`${entry} is missing after the build.`);
  const child = spawn(process.execPath, [entry, ...args], { cwd: ROOT, env, stdio: 'inherit' });
  /** @type {NodeJS.Timeout | undefined} */
  let timer;
  /** @type {NodeJS.Signals | undefined} */
  let passedOn;
  /** @param {NodeJS.Signals} signal */
  const stop = (signal) => {
    // SIGHUP (a closed terminal) stops the API like SIGTERM.
    passedOn = signal === 'SIGINT' ? 'SIGINT' : 'SIGTERM';
    child.kill(passedOn);
    timer ??= setTimeout(() => child.kill('SIGKILL'), stopTimeoutMs);
  };
  onStopSignal(stop);
  // Without npm the parent is a shell. The service continues when that shell ends.
  if (process.env.npm_lifecycle_event !== undefined) onParentGone(() => stop('SIGTERM'));
  const { code, signal } = await ended(child);
  clearTimeout(timer);
  if (signal !== null && signal === passedOn) return stoppedStatus;
  const status = exitCode(code, signal);
  // A signal to the group ends npm at once, without a report of the child's exit code.
  if (passedOn !== undefined && status !== 0) console.error(`The API ended with exit code ${status}.`);
  return status;
}

/**
 * Returns the time after the first stop signal at which the service is killed: KILL_AFTER_SECONDS after the
 * DRAIN_SECONDS for which it goes on serving. The service checks DRAIN_SECONDS itself.
 * @throws Stop when KILL_AFTER_SECONDS is wrong
 */
function readStopTimeoutMs() {
  const given = process.env.KILL_AFTER_SECONDS;
  const seconds = given === undefined || given === '' ? KILL_AFTER_SECONDS : Number(given);
  if (!(seconds > 0 && seconds <= LONGEST_SECONDS)) {
    throw new Stop(`KILL_AFTER_SECONDS: must be seconds, more than 0 and at most ${LONGEST_SECONDS}`);
  }
  return 1_000 * (seconds + (Number(process.env.DRAIN_SECONDS) || 0));
}
