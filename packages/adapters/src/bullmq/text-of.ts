import { reasonOf } from '@mailstead/core/errors';

/** Node's error for a host with several addresses has no text of its own. */
export function textOf(error: unknown): string {
  return error instanceof AggregateError ? error.errors.map(reasonOf).join(', ') : reasonOf(error);
}
