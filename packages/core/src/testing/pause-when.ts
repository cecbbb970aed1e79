import type { ChildProcess } from 'node:child_process';
import { setTimeout as delay } from 'node:timers/promises';
import { PATIENCE_MS } from '../../../../scripts/test-timeout.mjs';

/** How long a process runs between two questions. */
const RUNS_MS = 5;

/**
 * Lets a process run for some milliseconds at a time until the condition holds, which is asked while it stands still.
 * It stays paused: nothing happens between the condition and its end by a signal.
 *
 * @throws Error when the process ended before
 */
export async function pauseWhen(process: ChildProcess, what: string, holds: () => Promise<boolean>): Promise<void> {
  const deadline = performance.now() + PATIENCE_MS;
  for (;;) {
    process.kill('SIGSTOP');
    if (await holds()) return;
    if (process.exitCode !== null) throw new Error(`The process ended with ${process.exitCode} before ${what}.`);
    process.kill('SIGCONT');
    if (performance.now() > deadline) throw new Error(`Waited ${PATIENCE_MS} ms in vain for ${what}.`);
    await delay(RUNS_MS);
  }
}
