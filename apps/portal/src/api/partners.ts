import { queryOptions } from '@tanstack/react-query';
import { pagedByName } from '../parts/paged-list.js';
import { api } from './client.js';
import type { Partner } from './shapes.js';

/** The partners by reference. `q` is the beginning of the reference. */
export function partnersQuery(q: string) {
  return pagedByName<Partner>(['partners', 'list', q], (page) =>
    api.GET('/partners/', { params: { query: { ...(q === '' ? {} : { q }), ...page } } }),
  );
}

export function partnerQuery(ref: string) {
  return queryOptions({
    queryKey: ['partners', 'one', ref],
    queryFn: async () =>
      (await api.GET('/partners/{partner_ref}', { params: { path: { partner_ref: ref } } })).data as Partner,
  });
}

export async function suspendPartner(ref: string, stage: 'changes' | 'all'): Promise<void> {
  await api.PUT('/partners/{partner_ref}/suspend', { params: { path: { partner_ref: ref } }, body: { stage } });
}

/** Lifts one cause of the suspension. The others stay. */
export async function activatePartner(
  ref: string,
  cause: Partner['suspension_causes'][number]['cause'],
): Promise<void> {
  await api.PUT('/partners/{partner_ref}/activate', { params: { path: { partner_ref: ref } }, body: { cause } });
}
