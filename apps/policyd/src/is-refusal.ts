import { ApiProblem } from '@mailstead/client/api-problem';

/**
 * Returns true when the API refused the request (4xx except 429), for instance because of a wrong token. After any
 * other error the API counts as unavailable.
 */
export function isRefusal(error: unknown): error is ApiProblem {
  return error instanceof ApiProblem && error.status < 500 && error.status !== 429;
}
