import { pagedQuery } from '../parts/paged-list.js';
import { api } from './client.js';
import { Refusal } from './problem.js';
import type { Deleted, LeftOut } from './shapes.js';

/** What was deleted and can come back, newest first. */
export function deletedQuery(filters: { domain?: string; partner_ref?: string } = {}) {
  return pagedQuery<Deleted>(['deleted', filters], (page) =>
    api.GET('/deleted/', { params: { query: { ...filters, ...page, order: 'desc' } } }),
  );
}

/** @returns the aliases that could not come back */
export async function restoreDeleted(id: number): Promise<LeftOut[]> {
  const { data } = await api.POST('/deleted/{deleted_id}/restore', { params: { path: { deleted_id: String(id) } } });
  return data?.left_out ?? [];
}

/** Restores what was just deleted under this name. */
export async function restoreLatest(kind: Deleted['kind'], name: string, domain: string): Promise<void> {
  const { data } = await api.GET('/deleted/', { params: { query: { domain, order: 'desc', limit: 100 } } });
  const found = (data ?? []).find((row) => row.kind === kind && row.name === name);
  if (found === undefined) throw new Refusal(`${name} cannot be restored any more.`);
  await restoreDeleted(found.id);
}

/** Erases it with its mail, at once and for ever. */
export async function eraseDeleted(id: number): Promise<void> {
  await api.POST('/deleted/{deleted_id}/erase', { params: { path: { deleted_id: String(id) } } });
}
