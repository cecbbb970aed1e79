import { type QueryClient, useQueryClient } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { flushSync } from 'react-dom';
import { Remounts } from './remounts.js';

/** The browser has translated the page: it keeps each text in an element of its own, which this page never has. */
function isTranslated(): boolean {
  return document.querySelector('font') !== null;
}

const remounts = new Remounts();

/**
 * React changes the texts that it made, which stand no longer in a translated page, and fails when it removes one. A
 * screen that failed for this reason is right when it is mounted anew. Returns a function that keeps it from being
 * mounted.
 */
export function mountAnew(error: unknown, mount: () => void): () => void {
  const isOfTranslation = error instanceof DOMException && error.name === 'NotFoundError' && isTranslated();
  const waitMs = isOfTranslation ? remounts.waitMs(performance.now()) : null;
  if (waitMs === null) return () => {};
  const timer = setTimeout(() => {
    remounts.note(performance.now());
    mount();
  }, waitMs);
  return () => clearTimeout(timer);
}

/** Calls the listener when data that a screen shows has changed. Returns a function that ends it. */
function whenDataChanges(queryClient: QueryClient, listener: () => void): () => void {
  const known = new WeakMap<object, unknown>();
  return queryClient.getQueryCache().subscribe((event) => {
    if (event.type !== 'updated' || event.action.type !== 'success') return;
    const { query } = event;
    const { data } = query.state;
    if (known.get(query) === data) return;
    known.set(query, data);
    if (query.getObserversCount() > 0) listener();
  });
}

/** How often data has changed since the page was translated: it rises before a screen sees the data. */
export function useChangesInTranslation(): number {
  const queryClient = useQueryClient();
  const [changes, setChanges] = useState(0);
  useEffect(
    () =>
      whenDataChanges(queryClient, () => {
        if (isTranslated()) flushSync(() => setChanges((times) => times + 1));
      }),
    [queryClient],
  );
  return changes;
}
