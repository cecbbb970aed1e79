import createFetchClient, { type Client, type Middleware } from 'openapi-fetch';
import { ApiProblem } from './api-problem.js';
import type { paths } from './generated/api-types.js';
import { pathWithNames } from './path-names.js';

export interface SessionClientOptions {
  /** Returns the `csrf_token` of the session; null before it is known. */
  csrfToken: () => string | null;
  /** Called for each response that is not 2xx, before it is thrown. */
  onProblem?: (problem: ApiProblem, request: Request) => void;
  /**
   * Called after each request: false when it got no response, or one of a service or proxy that is down (502, 503,
   * 504).
   */
  onReached?: (isReached: boolean) => void;
}

/** Statuses that pass by themselves. */
const DOWN = new Set([502, 503, 504]);

/**
 * Creates a client for a page of the service's own origin: the browser sends the session's cookie. Nothing is sent
 * again by itself. Responses that are not 2xx are thrown as `ApiProblem`, a failed connection as the error of `fetch`.
 */
export function createSessionClient(options: SessionClientOptions): Client<paths> {
  const client = createFetchClient<paths>({ baseUrl: '', credentials: 'same-origin', pathSerializer: pathWithNames });
  client.use(sessionMiddleware(options));
  return client;
}

function sessionMiddleware({ csrfToken, onProblem, onReached }: SessionClientOptions): Middleware {
  return {
    onRequest: ({ request }) => {
      const token = csrfToken();
      if (request.method !== 'GET' && token !== null) request.headers.set('X-CSRF-Token', token);
    },
    onResponse: async ({ request, response }) => {
      onReached?.(!DOWN.has(response.status));
      if (response.ok) return;
      const problem = await ApiProblem.from(response);
      onProblem?.(problem, request);
      throw problem;
    },
    onError: ({ error }) => {
      // A cancelled request says nothing about the service.
      if (!(error instanceof DOMException && error.name === 'AbortError')) onReached?.(false);
    },
  };
}
