import { type BasedOn, ifMatch } from './based-on.js';
import { type Change, change } from './change.js';
import { api } from './client.js';
import { keys } from './keys.js';
import { COUNTED, pagedQuery } from './paged-list.js';
import type { ApiKey, Bodies, Operation } from './shapes.js';

/** What is done with keys: by a partner with those that its key created, or by the master with all. */
export interface KeyRing {
  /** What each task calls; null: it has no such task. */
  operations: Record<'change' | 'rotate' | 'sessions' | 'revoke', Operation | null>;
  /** The limits are the master's to change. */
  change: (id: number) => Change<BasedOn<Bodies['UpdateApiKeyBody']>, void>;
  /** Its input is how many hours the old token stays valid, its result the successor with its token. */
  rotate: (id: number) => Change<number, ApiKey>;
  revoke: (id: number) => Change<void, void>;
}

/** The keys that this key created, and those that these created, newest first. */
export const ownKeysQuery = pagedQuery<ApiKey>(keys.ownApiKeys, (page) =>
  api.GET('/me/keys', { params: { query: { ...page, order: 'desc' } } }),
);

/** The keys of a partner, or of all, newest first. `q` is the beginning of a key's name or of a partner's reference. */
export function keysQuery(partnerRef: string | undefined, q: string) {
  const filter = { ...(partnerRef === undefined ? {} : { partner_ref: partnerRef }), ...(q === '' ? {} : { q }) };
  return pagedQuery<ApiKey>(
    keys.apiKeyList(partnerRef, q),
    (page) => api.GET('/api-keys/', { params: { query: { ...filter, ...page, order: 'desc' } } }),
    COUNTED,
  );
}

/** Its result is the key with its token, which the service shows this once. */
export const createOwnKey = change({
  run: async (body: Bodies['MakeKeyBody']) => (await api.POST('/me/keys', { body })).data as ApiKey,
  touches: [keys.apiKeys],
});

/** Its result is the key with its token. */
export const createKey = change({
  run: async (body: Bodies['CreateApiKeyBody']) => (await api.POST('/api-keys/', { body })).data as ApiKey,
  touches: [keys.apiKeys, keys.partners],
});

export const endSessionsOf = (id: number) =>
  change({
    run: async () => {
      await api.DELETE('/api-keys/{token}/sessions', { params: { path: { token: String(id) } } });
    },
    touches: [],
  });

export const OWN_KEYS: KeyRing = {
  operations: {
    change: 'putMeKeysKeyId',
    rotate: 'postMeKeysKeyIdRotate',
    sessions: null,
    revoke: 'deleteMeKeysKeyId',
  },
  change: (id) => ({
    run: async ({ body, revision }) => {
      const params = { path: { key_id: String(id) } };
      await api.PUT('/me/keys/{key_id}', { params, body, headers: ifMatch(revision) });
    },
    touches: [keys.apiKeys],
  }),
  rotate: (id) => ({
    run: async (hours) => {
      const params = { path: { key_id: String(id) } };
      return (await api.POST('/me/keys/{key_id}/rotate', { params, body: { overlap_hours: hours } })).data as ApiKey;
    },
    touches: [keys.apiKeys],
  }),
  revoke: (id) => ({
    run: async () => {
      await api.DELETE('/me/keys/{key_id}', { params: { path: { key_id: String(id) } } });
    },
    touches: [keys.apiKeys],
  }),
};

export const ALL_KEYS: KeyRing = {
  operations: {
    change: 'putApiKeysToken',
    rotate: 'postApiKeysTokenRotate',
    sessions: 'deleteApiKeysTokenSessions',
    revoke: 'deleteApiKeysToken',
  },
  change: (id) => ({
    run: async ({ body, revision }) => {
      const params = { path: { token: String(id) } };
      await api.PUT('/api-keys/{token}', { params, body, headers: ifMatch(revision) });
    },
    touches: [keys.apiKeys, keys.partners],
  }),
  rotate: (id) => ({
    run: async (hours) => {
      const params = { path: { token: String(id) } };
      return (await api.POST('/api-keys/{token}/rotate', { params, body: { overlap_hours: hours } })).data as ApiKey;
    },
    touches: [keys.apiKeys],
  }),
  revoke: (id) => ({
    run: async () => {
      await api.DELETE('/api-keys/{token}', { params: { path: { token: String(id) } } });
    },
    touches: [keys.apiKeys],
  }),
};
