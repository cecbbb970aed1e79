import { useSyncExternalStore } from 'react';

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

export function useIsServiceDown(): boolean {
  return useSyncExternalStore(subscribe, () => isDown);
}
