import type { ApiProblem } from '@mailstead/client/api-problem';
import { createSessionClient } from '@mailstead/client/session-client';
import { reportService } from './service-state.js';

/** In memory only: a script of another page cannot read it, and it ends with the page. */
let csrfToken: string | null = null;
let onSignedOut: (problem: ApiProblem) => void = () => undefined;

/** The API with the session of this browser. Every response that is not 2xx is thrown as an `ApiProblem`. */
export const api = createSessionClient({
  csrfToken: () => csrfToken,
  onReached: (isReached) => reportService(!isReached),
  onProblem: (problem: ApiProblem, { method, url }) => {
    // A wrong key or code at the door says nothing about the session.
    const isAtDoor = method === 'POST' && new URL(url).pathname.startsWith('/sessions');
    if (problem.status === 401 && csrfToken !== null && !isAtDoor) onSignedOut(problem);
  },
});

export function setCsrfToken(token: string | null): void {
  csrfToken = token;
}

/** @param listener is called with the API's problem when a session that worked is refused. */
export function whenSignedOut(listener: (problem: ApiProblem) => void): void {
  onSignedOut = listener;
}
