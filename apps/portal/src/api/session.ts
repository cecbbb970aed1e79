import { queryOptions, useSuspenseQuery } from '@tanstack/react-query';
import { api, setCsrfToken, whenSignedOut } from './client.js';
import { keys } from './keys.js';
import { sentence } from './problem.js';
import { queryClient } from './query-client.js';
import type { Caller, CodePreview, Session } from './shapes.js';

/** The session of this browser, with its caller. Fails with 401 when there is none. */
export const sessionQuery = queryOptions({
  queryKey: keys.session,
  queryFn: async () => entered((await api.GET('/sessions/current')).data),
  staleTime: Number.POSITIVE_INFINITY,
});

/** Opens a session with a key or an operator's token. The token is sent once and not kept. */
export async function enterWithToken(token: string): Promise<Session> {
  const { data } = await api.POST('/sessions', { headers: { Authorization: `Bearer ${token}` } });
  return entered(data);
}

/** Opens a session with the code of a link. */
export async function enterWithCode(code: string): Promise<Session> {
  return entered((await api.POST('/sessions', { body: { code } })).data);
}

/** Reads who one will be with the code of a link, without using it up. */
export function codePreviewQuery(code: string) {
  return queryOptions({
    queryKey: keys.codePreview(code),
    queryFn: async () => (await api.POST('/sessions/preview', { body: { code } })).data as CodePreview,
    retry: false,
  });
}

/** Begins with this session: nothing that another one has read is left. */
export function begin(session: Session): void {
  queryClient.clear();
  queryClient.setQueryData(keys.session, session);
}

export async function leave(): Promise<void> {
  await api.DELETE('/sessions/{session}', { params: { path: { session: 'current' } } });
  setCsrfToken(null);
  queryClient.clear();
}

/** @param listener is called with the reason when a session that worked is refused, as after its key was revoked. */
export function whenEnded(listener: (why: string) => void): void {
  whenSignedOut((why) => {
    queryClient.clear();
    listener(sentence(why));
  });
}

/** The caller as `GET /me` answers it, when the session began. */
export function useCaller(): Caller {
  return useSuspenseQuery(sessionQuery).data.caller;
}

function entered(session: Session | undefined): Session {
  if (session === undefined) throw new Error('The service answered without a session');
  setCsrfToken(session.csrf_token);
  return session;
}
