import type { ApiProblem } from '@mailstead/client/api-problem';
import { createSessionClient } from '@mailstead/client/session-client';
import { reportService } from './service-state.js';

/** In memory only: a script of another page cannot read it, and it ends with the page. */
let csrfToken: string | null = null;
let onSignedOut: (reason: string) => void = () => undefined;

/** The API with the session of this browser. Every response that is not 2xx is thrown as an `ApiProblem`. */
export const api = createSessionClient({
  csrfToken: () => csrfToken,
  onReached: (isReached) => reportService(!isReached),
  onProblem: ({ status, detail }: ApiProblem, { method, url }) => {
    // A wrong key or code at the door says nothing about the session.
    const isAtDoor = method === 'POST' && new URL(url).pathname.startsWith('/sessions');
    if (status === 401 && csrfToken !== null && !isAtDoor) onSignedOut(detail);
  },
});

export function setCsrfToken(token: string | null): void {
  csrfToken = token;
}

/** @param listener is called with the API's reason when a session that worked is refused. */
export function whenSignedOut(listener: (reason: string) => void): void {
  onSignedOut = listener;
}
