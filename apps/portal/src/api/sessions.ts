import { queryOptions } from '@tanstack/react-query';
import { api } from './client.js';
import { statusOf } from './problem.js';

/** The open sessions of this key. There are at most 20. */
export const sessionsQuery = queryOptions({
  queryKey: ['sessions'],
  queryFn: async () => (await api.GET('/sessions')).data ?? [],
});

/** Ends sessions. One that has ended meanwhile is no problem. */
export async function endSessions(ids: readonly number[]): Promise<void> {
  const ended = await Promise.allSettled(
    ids.map((id) => api.DELETE('/sessions/{session}', { params: { path: { session: String(id) } } })),
  );
  for (const result of ended) {
    if (result.status === 'rejected' && statusOf(result.reason) !== 404) throw result.reason;
  }
}
