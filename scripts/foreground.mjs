import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { Stop } from './prepare.mjs';
import { ended, exitCode, onParentGone, onStopSignal, ROOT } from './processes.mjs';

/** The service promises to end within 8 s of the first SIGTERM; after this it is not waited for any longer. */
const STOP_TIMEOUT_MS = 9_500;

/**
 * Runs the API in npm's process group, so that a signal to the group reaches it, and returns its exit code. A signal
 * that reaches only us is passed on, each one, and it is stopped when npm went away. `stoppedStatus` is returned when
 * it died of a signal that we passed on before it could handle one.
 */
export async function runApi(args, { stoppedStatus }) {
  const entry = 'apps/api/dist/main.js';
  if (!existsSync(join(ROOT, entry))) throw new Stop(`${entry} is missing after the build.`);
  const child = spawn(process.execPath, [entry, ...args], { cwd: ROOT, stdio: 'inherit' });
  let timer;
  let passedOn;
  const stop = (signal) => {
    // A closed terminal asks for the same orderly end.
    passedOn = signal === 'SIGINT' ? 'SIGINT' : 'SIGTERM';
    child.kill(passedOn);
    timer ??= setTimeout(() => child.kill('SIGKILL'), STOP_TIMEOUT_MS);
  };
  onStopSignal(stop);
  // Without npm in between the parent is a shell, which may well be closed while the service goes on.
  if (process.env.npm_lifecycle_event !== undefined) onParentGone(() => stop('SIGTERM'));
  const { code, signal } = await ended(child);
  clearTimeout(timer);
  if (signal !== null && signal === passedOn) return stoppedStatus;
  const status = exitCode(code, signal);
  // npm dies at once of a signal to the group and hides how its child ended.
  if (passedOn !== undefined && status !== 0) console.error(`The API ended with exit code ${status}.`);
  return status;
}
