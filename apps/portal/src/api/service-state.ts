import { useSyncExternalStore } from 'react';
import { queryClient } from './query-client.js';

let isDown = false;
const listeners = new Set<() => void>();

/** Notes whether the last request reached the service. */
export function reportService(down: boolean): void {
  if (down === isDown) return;
  isDown = down;
  for (const listener of listeners) listener();
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => void listeners.delete(listener);
}

/** Asks whether the service answers again. If so, everything on the screen is read again. */
export async function askAgain(): Promise<void> {
  const isReady = await fetch('/health/ready').then(
    ({ ok }) => ok,
    () => false,
  );
  if (!isReady) return;
  reportService(false);
  await queryClient.invalidateQueries();
}

export function useIsServiceDown(): boolean {
  return useSyncExternalStore(subscribe, () => isDown);
}
