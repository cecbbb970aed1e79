import { ApiProblem } from '@mailstead/client/api-problem';

/** Whether the API is there and does not take what it was asked, as with a wrong token; otherwise it is away. */
export function isRefusal(error: unknown): error is ApiProblem {
  return error instanceof ApiProblem && error.status < 500 && error.status !== 429;
}
