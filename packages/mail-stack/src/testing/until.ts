import { setTimeout as delay } from 'node:timers/promises';
import { PATIENCE_MS, pauseAfter } from '../../../../scripts/test-timeout.mjs';

const SHORTEST_PAUSE_MS = 25;

/** Repeats a check until it returns neither null nor false. @throws Error with `what` after `PATIENCE_MS`. */
export async function until<T>(what: string, ask: () => Promise<T | null | undefined | false>): Promise<T> {
  const deadline = performance.now() + PATIENCE_MS;
  for (;;) {
    const begun = performance.now();
    const answer = await ask();
    if (answer !== null && answer !== undefined && answer !== false) return answer;
    const now = performance.now();
    if (now > deadline) throw new Error(`Waited ${PATIENCE_MS} ms in vain for ${what}.`);
    await delay(pauseAfter(now - begun, SHORTEST_PAUSE_MS));
  }
}
