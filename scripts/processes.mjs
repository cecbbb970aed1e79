// @ts-check
import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { constants } from 'node:os';
import { fileURLToPath } from 'node:url';

/** The folder of the checkout. Every script works there. */
export const ROOT = fileURLToPath(new URL('..', import.meta.url));

/** @typedef {import('node:child_process').ChildProcess} ChildProcess */
/** @typedef {import('node:child_process').SpawnOptions} SpawnOptions */

/** @type {NodeJS.Signals[]} */
const STOP_SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'];

// Read at the start, because the number becomes that of init when the parent ends.
const PARENT = process.ppid;
const NPM = parentOfNpmShell();

/**
 * Calls `listener` for every SIGINT, SIGTERM and SIGHUP; the signals then do not end this process. Returns a function
 * that removes the listener.
 * @param {(signal: NodeJS.Signals) => void} listener
 */
export function onStopSignal(listener) {
  for (const name of STOP_SIGNALS) process.on(name, listener);
  return () => {
    for (const name of STOP_SIGNALS) process.off(name, listener);
  };
}

/**
 * Calls `listener` once when the parent process has ended: `kill <pid of npm>` ends npm, but not what npm runs.
 * @param {() => void} listener
 */
export function onParentGone(listener) {
  const timer = setInterval(() => {
    if (process.ppid === PARENT && (NPM === undefined || parentOf(PARENT) === NPM)) return;
    clearInterval(timer);
    listener();
  }, 250);
  timer.unref();
}

/**
 * Returns the process number of npm when there is a shell between npm and this process. npm runs a script by `sh -c`.
 * The shell may keep running (dash does), also after npm was killed. Returns undefined when npm is the parent, or
 * without /proc.
 */
function parentOfNpmShell() {
  if (process.env.npm_lifecycle_event === undefined) return undefined;
  const [program = '', option] = readProc(PARENT, 'cmdline').split('\0');
  return /(^|\/)(ba|da)?sh$/.test(program) && option === '-c' ? parentOf(PARENT) : undefined;
}

/**
 * Reads the fourth field of /proc/<pid>/stat; the second is the program's name in parentheses and may contain anything.
 * @param {number} pid
 */
function parentOf(pid) {
  return readProc(pid, 'stat').split(') ').at(-1)?.split(' ')[1];
}

/**
 * @param {number} pid
 * @param {'cmdline' | 'stat'} file
 */
function readProc(pid, file) {
  try {
    return readFileSync(`/proc/${pid}/${file}`, 'utf8');
  } catch {
    return '';
  }
}

/**
 * Returns the exit code that a shell reports for the end of a process.
 * @param {number | null} code
 * @param {NodeJS.Signals | null} signal
 */
export function exitCode(code, signal) {
  return code ?? 128 + (signal === null ? 0 : constants.signals[signal]);
}

/**
 * Waits for the end of a child. @throws Error when it could not be started.
 * @param {ChildProcess} child
 * @returns {Promise<{ code: number | null, signal: NodeJS.Signals | null }>}
 */
export function ended(child) {
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('exit', (code, signal) => resolve({ code, signal }));
  });
}

/**
 * Runs a command in this process's group until it ends. Passes stop signals on to it; `stopped` is true after one.
 * @param {string} command
 * @param {string[]} args
 * @param {SpawnOptions} [options]
 */
export async function runStep(command, args, options = {}) {
  const child = spawn(command, args, { cwd: ROOT, stdio: 'inherit', ...options });
  let stopped = false;
  const stopListening = onStopSignal(() => {
    stopped = true;
    child.kill('SIGTERM');
  });
  try {
    const { code, signal } = await ended(child);
    return { code: exitCode(code, signal), stopped };
  } finally {
    stopListening();
  }
}

/** @type {import('node:stream').Writable | undefined} */
let guardInput;

/**
 * Writes a line to guard.mjs, which runs in a separate session and ends shortly after this process. It reads a pipe
 * that only this process has open. When the pipe closes, also after SIGKILL, it kills the process groups and removes
 * the folders that were written to it.
 * @param {string} line
 */
function writeToGuard(line) {
  if (guardInput === undefined) {
    const guard = spawn(process.execPath, [fileURLToPath(new URL('guard.mjs', import.meta.url))], {
      cwd: '/',
      detached: true,
      stdio: ['pipe', 'ignore', 'ignore'],
    });
    guard.unref();
    // Node's pipe to a child is a socket; its type says only Writable.
    /** @type {import('node:net').Socket} */ (guard.stdin).unref();
    guard.stdin.on('error', () => undefined);
    guardInput = guard.stdin;
  }
  guardInput.write(`${line}\n`);
}

/**
 * Removes the folder when this process ends, also after SIGKILL.
 * @param {string} path
 */
export function guardFolder(path) {
  writeToGuard(`folder ${path}`);
}

/**
 * Starts a command as the leader of a new process group. `killGroup` signals the command and its descendants. The group
 * is killed when this process ends, also after SIGKILL.
 * @param {string} command
 * @param {string[]} args
 * @param {SpawnOptions} [options]
 */
export function spawnGroup(command, args, options = {}) {
  const child = spawn(command, args, {
    cwd: ROOT,
    stdio: ['ignore', 'inherit', 'inherit'],
    ...options,
    detached: true,
  });
  const { pid } = child;
  if (pid !== undefined) {
    writeToGuard(`group ${pid}`);
    // The group is killed when its leader ends, because children may still run and the number may be reused later.
    child.once('exit', () => {
      killGroup(child, 'SIGKILL');
      writeToGuard(`forget ${pid}`);
    });
  }
  return child;
}

/**
 * Sends a signal to every process of the group that `spawnGroup` started. Does nothing when the group has ended.
 * @param {ChildProcess} child
 * @param {NodeJS.Signals} signal
 */
export function killGroup(child, signal) {
  if (child.pid === undefined) return;
  try {
    process.kill(-child.pid, signal);
  } catch (error) {
    const { code } = /** @type {NodeJS.ErrnoException} */ (error);
    if (code !== 'ESRCH' && code !== 'EPERM') throw error;
  }
}
