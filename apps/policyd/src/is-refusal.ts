import { ApiProblem } from '@mailstead/client/api-problem';

/**
 * Returns true when the API refused the request (4xx except 429), as with a wrong token; otherwise the API is
 * unavailable.
 */
export function isRefusal(error: unknown): error is ApiProblem {
  return error instanceof ApiProblem && error.status < 500 && error.status !== 429;
}
