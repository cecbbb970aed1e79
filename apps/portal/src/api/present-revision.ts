import { ApiProblem } from '@mailstead/client/api-problem';

/** Returns the revision that somebody else has made since, when a change was refused for it; otherwise null. */
export function presentRevisionOf(error: unknown): number | null {
  if (!(error instanceof ApiProblem) || error.code !== 'changed_meanwhile') return null;
  const { revision } = error.members;
  return typeof revision === 'number' ? revision : null;
}
