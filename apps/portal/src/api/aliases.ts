import { pagedQuery } from '../parts/paged-list.js';
import { api } from './client.js';
import type { Alias } from './shapes.js';

/** The aliases of a domain, newest first, a page at a time. */
export function aliasesQuery(domain: string, q: string) {
  return pagedQuery<Alias>(['domain', domain, 'aliases', q], (page) =>
    api.GET('/aliases/', { params: { query: { domain, ...(q === '' ? {} : { q }), ...page, order: 'desc' } } }),
  );
}

/** The aliases that deliver to a mailbox. */
export function aliasesToQuery(domain: string, destination: string) {
  return pagedQuery<Alias>(['domain', domain, 'aliases-to', destination], (page) =>
    api.GET('/aliases/', { params: { query: { destination, ...page } } }),
  );
}

export async function addAlias(address: string, destination: string): Promise<void> {
  await api.POST('/aliases/', {
    body: { address, destination },
    headers: { 'Idempotency-Key': crypto.randomUUID() },
  });
}

export async function deleteAlias(id: number): Promise<void> {
  await api.DELETE('/aliases/{alias}', { params: { path: { alias: String(id) } } });
}
