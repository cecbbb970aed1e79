import type { StopMessages } from '@mailstead/core/partners/stop-messages';

/** Stored as null when there are none, as in the rows of the former release. */
export const stopMessagesTransformer = {
  from: (value: unknown) => (typeof value === 'string' ? (JSON.parse(value) as StopMessages) : {}),
  to: (value: unknown) => (isSome(value) ? JSON.stringify(value) : null),
};

function isSome(value: unknown): boolean {
  return typeof value === 'object' && value !== null && Object.keys(value).length > 0;
}
