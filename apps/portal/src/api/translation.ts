import { type QueryClient, useQueryClient } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { flushSync } from 'react-dom';

/** The browser has translated the page: it keeps each text in an element of its own, which this page never has. */
function isTranslated(): boolean {
  return document.querySelector('font') !== null;
}

/**
 * React changes the texts that it made, which stand no longer in a translated page, and fails when it removes one.
 *
 * @returns whether a screen that failed is right when it is mounted anew
 */
export function isOfTranslation(error: unknown): boolean {
  return error instanceof DOMException && error.name === 'NotFoundError' && isTranslated();
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
