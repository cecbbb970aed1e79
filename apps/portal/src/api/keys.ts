import type { components } from '@mailstead/client/generated/api-types';
import { pagedQuery } from '../parts/paged-list.js';
import { api } from './client.js';
import type { ApiKey } from './shapes.js';

type Schemas = components['schemas'];

/** What is done with keys: by a partner with those that its key made, or by the master with all. */
export interface KeyRing {
  /** The limits are the master's to change. */
  change: (id: number, changes: Schemas['UpdateApiKeyBody']) => Promise<void>;
  /** @returns the successor, with its token */
  rotate: (id: number, overlapHours: number) => Promise<ApiKey>;
  revoke: (id: number) => Promise<void>;
}

/** The keys that this key made, and those that these made, newest first. */
export const ownKeysQuery = pagedQuery<ApiKey>(['keys', 'own'], (page) =>
  api.GET('/me/keys', { params: { query: { ...page, order: 'desc' } } }),
);

/** The keys of a partner, or of all, newest first. */
export function keysQuery(partnerRef: string | undefined) {
  const filter = partnerRef === undefined ? {} : { partner_ref: partnerRef };
  return pagedQuery<ApiKey>(['keys', filter], (page) =>
    api.GET('/api-keys/', { params: { query: { ...filter, ...page, order: 'desc' } } }),
  );
}

/** @returns the key with its token, which the service shows this once */
export async function makeOwnKey(key: Schemas['MakeKeyBody']): Promise<ApiKey> {
  return (await api.POST('/me/keys', { body: key })).data as ApiKey;
}

/** @returns the key with its token */
export async function createKey(key: Schemas['CreateApiKeyBody']): Promise<ApiKey> {
  return (await api.POST('/api-keys/', { body: key })).data as ApiKey;
}

export async function endSessionsOf(id: number): Promise<void> {
  await api.DELETE('/api-keys/{token}/sessions', { params: { path: { token: String(id) } } });
}

export const OWN_KEYS: KeyRing = {
  change: async (id, changes) => {
    await api.PUT('/me/keys/{key_id}', { params: { path: { key_id: String(id) } }, body: changes });
  },
  rotate: async (id, overlapHours) => {
    const params = { path: { key_id: String(id) } };
    return (await api.POST('/me/keys/{key_id}/rotate', { params, body: { overlap_hours: overlapHours } }))
      .data as ApiKey;
  },
  revoke: async (id) => {
    await api.DELETE('/me/keys/{key_id}', { params: { path: { key_id: String(id) } } });
  },
};

export const ALL_KEYS: KeyRing = {
  change: async (id, changes) => {
    await api.PUT('/api-keys/{token}', { params: { path: { token: String(id) } }, body: changes });
  },
  rotate: async (id, overlapHours) => {
    const params = { path: { token: String(id) } };
    return (await api.POST('/api-keys/{token}/rotate', { params, body: { overlap_hours: overlapHours } }))
      .data as ApiKey;
  },
  revoke: async (id) => {
    await api.DELETE('/api-keys/{token}', { params: { path: { token: String(id) } } });
  },
};
