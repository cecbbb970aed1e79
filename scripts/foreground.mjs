// @ts-check
import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { Stop } from './main.mjs';
import { ended, exitCode, onParentGone, onStopSignal, ROOT } from './processes.mjs';

/** KILL_AFTER_SECONDS without the setting: the service ends within 8 s, on a machine that is not overloaded. */
const KILL_AFTER_SECONDS = 9.5;
const LONGEST_SECONDS = 3_600;
const AGAIN_AFTER_MS = 1_000;

/**
 * Runs the API in npm's process group, so that a signal to the group reaches it, and returns its exit code. A signal to
 * this process only is passed on to the API. When npm has ended, the API is stopped.
 * @param {string[]} args
 * @param {{ stoppedStatus: number, env?: NodeJS.ProcessEnv }} options `stoppedStatus` is returned when the API ended
 * by a passed-on signal before it could handle signals.
 */
export async function runApi(args, { stoppedStatus, env = process.env }) {
  const stopTimeoutMs = readStopTimeoutMs(process.env);
  const child = startInGroup('apps/api/dist/main.js', args, env);
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
 * Runs a command of the operator in npm's process group, and returns its exit code. It ends by itself after a request
 * to stop, however long it takes to remove what it began. A later request kills it: a frozen database never answers.
 * @param {string} entry
 * @param {string[]} args
 */
export async function runCommand(entry, args) {
  const child = startInGroup(entry, args, process.env);
  /** @type {number | undefined} */
  let stoppedAt;
  onStopSignal((signal) => {
    const now = performance.now();
    // The terminal and npm send one request twice.
    const isAgain = stoppedAt !== undefined && now - stoppedAt > AGAIN_AFTER_MS;
    child.kill(isAgain ? 'SIGKILL' : signal);
    stoppedAt ??= now;
  });
  if (process.env.npm_lifecycle_event !== undefined) onParentGone(() => child.kill('SIGTERM'));
  const { code, signal } = await ended(child);
  if (signal === null) return code ?? 1;
  // The command says itself why it ends, unless it was killed, or stopped before it could handle signals.
  console.error(
    signal === 'SIGKILL' ? 'Killed before it could remove what it began' : `Stopped by ${signal}; nothing was changed`,
  );
  return 1;
}

/**
 * @param {string} entry
 * @param {string[]} args
 * @param {NodeJS.ProcessEnv} env
 */
function startInGroup(entry, args, env) {
  if (!existsSync(join(ROOT, entry))) throw new Stop(`${entry} is missing after the build.`);
  return spawn(process.execPath, [entry, ...args], { cwd: ROOT, env, stdio: 'inherit' });
}

/**
 * Returns the time after the first stop signal at which the service is killed: KILL_AFTER_SECONDS after the
 * DRAIN_SECONDS for which it goes on serving. The service checks DRAIN_SECONDS itself.
 * @param {NodeJS.ProcessEnv} env
 * @throws Stop when KILL_AFTER_SECONDS is wrong
 */
export function readStopTimeoutMs(env) {
  const given = env.KILL_AFTER_SECONDS;
  const seconds = given === undefined || given === '' ? KILL_AFTER_SECONDS : Number(given);
  if (!(seconds > 0 && seconds <= LONGEST_SECONDS)) {
    throw new Stop(`KILL_AFTER_SECONDS: must be seconds, more than 0 and at most ${LONGEST_SECONDS}`);
  }
  return 1_000 * (seconds + (Number(env.DRAIN_SECONDS) || 0));
}
