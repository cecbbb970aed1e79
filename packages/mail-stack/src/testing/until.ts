import { setTimeout as delay } from 'node:timers/promises';
import { PATIENCE_MS } from '../../../../scripts/test-timeout.mjs';

/** Repeats a check until it returns neither null nor false. @throws Error with `what` after `PATIENCE_MS`. */
export async function until<T>(what: string, ask: () => Promise<T | null | undefined | false>): Promise<T> {
  const deadline = Date.now() + PATIENCE_MS;
  for (;;) {
    const answer = await ask();
    if (answer !== null && answer !== undefined && answer !== false) return answer;
    if (Date.now() > deadline) throw new Error(`Waited ${PATIENCE_MS} ms in vain for ${what}.`);
    await delay(25);
  }
}
