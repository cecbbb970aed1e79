import { setTimeout as delay } from 'node:timers/promises';
import { PATIENCE_MS } from '../../../../scripts/test-timeout.mjs';

const PAUSE_MS = 5;

/**
 * Repeats a check until it is true, with pauses, because what the test waits for needs the same processors. An error
 * counts as false. @throws Error with `what` and the last error after `PATIENCE_MS`
 */
export async function until(what: string, check: () => boolean | Promise<boolean>): Promise<void> {
  const deadline = performance.now() + PATIENCE_MS;
  let cause: unknown;
  for (;;) {
    try {
      if (await check()) return;
      cause = undefined;
    } catch (error) {
      cause = error;
    }
    if (performance.now() > deadline) throw new Error(`Waited ${PATIENCE_MS} ms in vain for ${what}.`, { cause });
    await delay(PAUSE_MS);
  }
}
