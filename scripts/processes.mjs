import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { constants } from 'node:os';
import { fileURLToPath } from 'node:url';

/** The folder of the checkout. Every script works there, wherever it was called from. */
export const ROOT = fileURLToPath(new URL('..', import.meta.url));

const STOP_SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'];

// Read at once: later it may already be the number of init.
const PARENT = process.ppid;
const NPM = parentOfNpmShell();

/**
 * Calls `listener(signal)` for every signal that asks this process to stop, a second one too, instead of dying of it.
 * Returns the function that ends the listening.
 */
export function onStopSignal(listener) {
  for (const name of STOP_SIGNALS) process.on(name, listener);
  return () => {
    for (const name of STOP_SIGNALS) process.off(name, listener);
  };
}

/**
 * Calls `listener` once when the parent went away. `kill <pid of npm>` ends npm and not what npm runs, and nobody else
 * tells us.
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
 * npm runs a script by `sh -c`, and the shell may stay between us and npm (dash does) and outlive an npm that was
 * killed. Undefined when npm is the parent itself, or where there is no /proc.
 */
function parentOfNpmShell() {
  if (process.env.npm_lifecycle_event === undefined) return undefined;
  const [program, option] = readProc(PARENT, 'cmdline').split('\0');
  return /(^|\/)(ba|da)?sh$/.test(program) && option === '-c' ? parentOf(PARENT) : undefined;
}

/** The fourth field; the second is the program's name in parentheses and may hold anything. */
function parentOf(pid) {
  return readProc(pid, 'stat').split(') ').at(-1).split(' ')[1];
}

function readProc(pid, file) {
  try {
    return readFileSync(`/proc/${pid}/${file}`, 'utf8');
  } catch {
    return '';
  }
}

/** What a shell would call the end of a process. */
export function exitCode(code, signal) {
  return code ?? 128 + (constants.signals[signal] ?? 0);
}

/** Waits for the end of a child: `{code, signal}` as Node gives them. Throws when it could not be started. */
export function ended(child) {
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('exit', (code, signal) => resolve({ code, signal }));
  });
}

/**
 * Runs a command in our own process group until it ends and returns its exit code. A request to stop is passed on to
 * it, and `{stopped: true}` comes back.
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

let guard;

/**
 * A small process of its own session that outlives us by a moment. It reads a pipe that only we hold, so even after
 * SIGKILL it sees our end and then kills the process groups and removes the folders we had named to it.
 */
function tellGuard(line) {
  if (guard === undefined) {
    guard = spawn(process.execPath, [fileURLToPath(new URL('guard.mjs', import.meta.url))], {
      cwd: '/',
      detached: true,
      stdio: ['pipe', 'ignore', 'ignore'],
    });
    guard.unref();
    guard.stdin.unref();
    guard.stdin.on('error', () => undefined);
  }
  guard.stdin.write(`${line}\n`);
}

/** Has the folder removed when we end, however we end. */
export function guardFolder(path) {
  tellGuard(`folder ${path}`);
}

/**
 * Starts a command as the leader of a process group of its own, which `killGroup` reaches with everything it started.
 * The group is killed when we end, however we end.
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
    tellGuard(`group ${pid}`);
    // Children of the leader may outlive it, so the group goes with it. Afterwards the number may be somebody else's.
    child.once('exit', () => {
      killGroup(child, 'SIGKILL');
      tellGuard(`forget ${pid}`);
    });
  }
  return child;
}

/** Sends a signal to every process of the group that `spawnGroup` started. Nothing happens when it has ended. */
export function killGroup(child, signal) {
  if (child.pid === undefined) return;
  try {
    process.kill(-child.pid, signal);
  } catch (error) {
    if (error.code !== 'ESRCH' && error.code !== 'EPERM') throw error;
  }
}
