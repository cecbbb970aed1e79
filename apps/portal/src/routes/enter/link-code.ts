import { useSyncExternalStore } from 'react';

const CODE = /^#code=([A-Za-z0-9_-]+)$/;

let code: string | null = null;
const listeners = new Set<() => void>();

// A link that is opened where the door is open already changes the fragment alone.
window.addEventListener('hashchange', takeCode);
takeCode();

/**
 * Takes the code of a link out of the address bar at once, so that it is neither in the history nor in a picture of the
 * screen. It stands in the fragment, which browsers never send.
 */
function takeCode(): void {
  const found = CODE.exec(window.location.hash)?.[1];
  if (found === undefined) return;
  window.history.replaceState(window.history.state, '', window.location.pathname);
  setCode(found);
}

/** A code that was used, or not wanted, is not offered again. */
export function forgetCode(): void {
  setCode(null);
}

/** The code of the link by which one came; null without one. */
export function useLinkCode(): string | null {
  return useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    () => code,
  );
}

function setCode(next: string | null): void {
  code = next;
  for (const listener of listeners) listener();
}
