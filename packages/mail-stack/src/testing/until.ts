import { setTimeout as delay } from 'node:timers/promises';

/** Repeats a check until it returns neither null nor false. @throws Error with `what` after `timeoutMs`. */
export async function until<T>(
  what: string,
  ask: () => Promise<T | null | undefined | false>,
  timeoutMs = 120_000,
): Promise<T> {
  const deadline = Date.now() + timeoutMs;
  for (;;) {
    const answer = await ask();
    if (answer !== null && answer !== undefined && answer !== false) return answer;
    if (Date.now() > deadline) throw new Error(`Waited ${timeoutMs} ms in vain for ${what}.`);
    await delay(25);
  }
}
