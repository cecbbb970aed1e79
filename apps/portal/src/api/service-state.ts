import { useSyncExternalStore } from 'react';
import { queryClient } from './query-client.js';

const ASK_AGAIN_MS = 2_000;
const PATIENCE_MS = 5_000;

let isDown = false;
let asking: ReturnType<typeof setInterval> | undefined;
const listeners = new Set<() => void>();
const backListeners = new Set<() => void>();

/**
 * Notes whether the last request reached the service. While it does not answer, it is asked every two seconds; when it
 * does again, everything on the screen is read again.
 */
export function reportService(down: boolean): void {
  if (down === isDown) return;
  isDown = down;
  clearInterval(asking);
  if (down) asking = setInterval(() => void askService(), ASK_AGAIN_MS);
  for (const listener of listeners) listener();
  if (!down) goOn();
}

/** Asks whether the service answers, after something that may also have another reason. It is not asked who we are. */
export async function askService(): Promise<void> {
  const isReady = await fetch('/health/ready', { credentials: 'omit', signal: AbortSignal.timeout(PATIENCE_MS) }).then(
    ({ ok }) => ok,
    () => false,
  );
  reportService(!isReady);
}

/** Reads everything on the screen again, and starts again what has waited for the service or for a session. */
export function goOn(): void {
  void queryClient.invalidateQueries();
  for (const listener of backListeners) listener();
}

/** Calls the listener at each `goOn`. Returns a function that removes it. */
export function whenItGoesOn(listener: () => void): () => void {
  backListeners.add(listener);
  return () => void backListeners.delete(listener);
}

/** Waits until the service answers. */
export function serviceIsBack(): Promise<void> {
  if (!isDown) return Promise.resolve();
  return new Promise((resolve) => {
    const remove = whenItGoesOn(() => {
      remove();
      resolve();
    });
  });
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => void listeners.delete(listener);
}

export function useIsServiceDown(): boolean {
  return useSyncExternalStore(subscribe, () => isDown);
}
