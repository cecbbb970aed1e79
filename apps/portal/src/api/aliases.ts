import { change } from './change.js';
import { api } from './client.js';
import { keys } from './keys.js';
import { COUNTED, pagedQuery } from './paged-list.js';
import type { Alias } from './shapes.js';

/** The aliases of a domain, newest first, a page at a time. */
export function aliasesQuery(domain: string, q: string) {
  return pagedQuery<Alias>(
    keys.aliasList(domain, q),
    (page) =>
      api.GET('/aliases/', { params: { query: { domain, ...(q === '' ? {} : { q }), ...page, order: 'desc' } } }),
    COUNTED,
  );
}

/** The aliases that deliver to a mailbox. */
export function aliasesToQuery(domain: string, destination: string) {
  return pagedQuery<Alias>(keys.aliasesTo(domain, destination), (page) =>
    api.GET('/aliases/', { params: { query: { destination, ...page } } }),
  );
}

export const addAlias = (domain: string) =>
  change({
    run: async (body: { address: string; destination: string }) => {
      await api.POST('/aliases/', { body, headers: { 'Idempotency-Key': crypto.randomUUID() } });
    },
    touches: [keys.domain(domain), keys.me],
  });

/** Changes where an alias delivers to. */
export const changeAlias = (domain: string, id: number) =>
  change({
    run: async (destination: string) => {
      await api.PUT('/aliases/{alias}', { params: { path: { alias: String(id) } }, body: { destination } });
    },
    touches: [keys.domain(domain)],
  });

export const deleteAlias = (domain: string, id: number) =>
  change({
    run: async () => {
      await api.DELETE('/aliases/{alias}', { params: { path: { alias: String(id) } } });
    },
    touches: [keys.domain(domain), keys.me],
  });
