import { queryOptions } from '@tanstack/react-query';
import { change } from './change.js';
import { api } from './client.js';
import { keys } from './keys.js';
import { statusOf } from './problem.js';
import type { OpenSession } from './shapes.js';

/** The open sessions of this key. There are at most 20. */
export const sessionsQuery = queryOptions({
  queryKey: keys.sessions,
  queryFn: async () => (await api.GET('/sessions')).data ?? [],
});

/** Ends the sessions of these ids. One that has ended meanwhile is no problem. */
export const endSessions = change({
  run: async (ids: readonly number[]) => {
    const ended = await Promise.allSettled(
      ids.map((id) => api.DELETE('/sessions/{session}', { params: { path: { session: String(id) } } })),
    );
    for (const result of ended) {
      if (result.status === 'rejected' && statusOf(result.reason) !== 404) throw result.reason;
    }
  },
  preview: (ids) => [
    { queryKey: keys.sessions, show: (now: OpenSession[]) => now.filter(({ id }) => !ids.includes(id)) },
  ],
  touches: [keys.sessions],
});
