import { setTimeout as delay } from 'node:timers/promises';
import { PATIENCE_MS, pauseAfter } from '../../../../scripts/test-timeout.mjs';

const SHORTEST_PAUSE_MS = 5;

/**
 * Repeats a check until it is true, with pauses. An error counts as false.
 * @throws Error with `what` and the last error after `PATIENCE_MS`
 */
export async function until(what: string, check: () => boolean | Promise<boolean>): Promise<void> {
  const deadline = performance.now() + PATIENCE_MS;
  let cause: unknown;
  for (;;) {
    const begun = performance.now();
    try {
      if (await check()) return;
      cause = undefined;
    } catch (error) {
      cause = error;
    }
    const now = performance.now();
    if (now > deadline) throw new Error(`Waited ${PATIENCE_MS} ms in vain for ${what}.`, { cause });
    await delay(pauseAfter(now - begun, SHORTEST_PAUSE_MS));
  }
}
