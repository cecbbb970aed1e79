import { queryOptions, useSuspenseQuery } from '@tanstack/react-query';
import { useSyncExternalStore } from 'react';
import { speakToReader } from '../texts/speak.js';
import { t } from '../texts/texts.js';
import { api, setCsrfToken, whenSignedOut } from './client.js';
import { keys } from './keys.js';
import { Refusal } from './problem.js';
import { queryClient } from './query-client.js';
import { goOn } from './service-state.js';
import type { Caller, CodePreview, Session } from './shapes.js';

/** The session of this browser, with its caller. Fails with 401 when there is none. */
export const sessionQuery = queryOptions({
  queryKey: keys.session,
  queryFn: async () => entered((await api.GET('/sessions/current')).data),
  staleTime: Number.POSITIVE_INFINITY,
});

/** Browsers send no other text as a token; the API says which of these characters a token may have. */
const SENDABLE = /^[!-~]+$/;

/**
 * Opens a session with a key or an operator's token. The token is sent once and not kept.
 * @throws Refusal when the text cannot be a token
 */
export async function enterWithToken(token: string): Promise<Session> {
  if (!SENDABLE.test(token)) throw new Refusal(t('door.notAKey'));
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
    queryFn: async () => {
      const preview = (await api.POST('/sessions/preview', { body: { code } })).data as CodePreview;
      // Before anything is said to whoever came by the link.
      await speakToReader(preview);
      return preview;
    },
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

/** Why one is out: the code of the API's problem, and its English words. */
export interface Reason {
  code: string;
  detail: string;
}

/** A session of this page that the API refuses now. */
interface Ended {
  /** The API's reason. */
  why: Reason;
  caller: Caller;
}

let ended: Ended | null = null;
const listeners = new Set<() => void>();

// What the page has read and what was typed stays, for who enters with the same key.
whenSignedOut(({ code, detail }) => {
  const session = queryClient.getQueryData<Session>(keys.session);
  setCsrfToken(null);
  if (session !== undefined) setEnded({ why: { code, detail }, caller: session.caller });
});

/** The session that has ended under this page; null while there is none. */
export function useEnded(): Ended | null {
  return useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    () => ended,
  );
}

/**
 * Goes on with what the page has, when this is a session of the same key as the one that has ended. Otherwise returns
 * false: then nothing of the page may stay.
 */
export function enteredAgain(session: Session): boolean {
  if (ended === null || ownerOf(ended.caller) !== ownerOf(session.caller)) return false;
  queryClient.setQueryData(keys.session, session);
  setEnded(null);
  goOn();
  return true;
}

/** Whose session it is. A key that was changed meanwhile is the same. */
function ownerOf({ kind, name, partner_ref, key_id, link, domains }: Caller): string {
  return JSON.stringify([kind, name, partner_ref, key_id, link, link === null ? null : domains]);
}

function setEnded(next: Ended | null): void {
  ended = next;
  for (const listener of listeners) listener();
}

/** The caller as `GET /me` answers it, read again when an event or a refusal says that it changed. */
export function useCaller(): Caller {
  return useSuspenseQuery(sessionQuery).data.caller;
}

function entered(session: Session | undefined): Session {
  if (session === undefined) throw new Error('The service answered without a session');
  setCsrfToken(session.csrf_token);
  return session;
}
