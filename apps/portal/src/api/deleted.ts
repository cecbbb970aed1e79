import { change } from './change.js';
import { api } from './client.js';
import { keys } from './keys.js';
import { pagedQuery } from './paged-list.js';
import { Refusal } from './problem.js';
import type { Deleted } from './shapes.js';

const RESTORED = [keys.deleted, keys.domains, keys.everyDomain, keys.me];

/** What was deleted and can come back, newest first. */
export function deletedQuery(partnerRef: string | undefined) {
  const filter = partnerRef === undefined ? {} : { partner_ref: partnerRef };
  return pagedQuery<Deleted>(keys.deletedList(partnerRef), (page) =>
    api.GET('/deleted/', { params: { query: { ...filter, ...page, order: 'desc' } } }),
  );
}

/** Its result is the aliases that could not come back. */
export const restoreDeleted = (id: number) => change({ run: () => restore(id), touches: RESTORED });

/** Restores what was just deleted under this name. */
export const restoreLatest = (kind: Deleted['kind'], name: string, domain: string) =>
  change({
    run: async () => {
      const { data } = await api.GET('/deleted/', { params: { query: { domain, order: 'desc', limit: 100 } } });
      const found = (data ?? []).find((row) => row.kind === kind && row.name === name);
      if (found === undefined) throw new Refusal(`${name} cannot be restored any more.`);
      await restore(found.id);
    },
    touches: RESTORED,
  });

/** Erases it with its mail, at once and for ever. */
export const eraseDeleted = (id: number) =>
  change({
    run: async () => {
      await api.POST('/deleted/{deleted_id}/erase', { params: { path: { deleted_id: String(id) } } });
    },
    touches: [keys.deleted],
  });

async function restore(id: number) {
  const { data } = await api.POST('/deleted/{deleted_id}/restore', { params: { path: { deleted_id: String(id) } } });
  return data?.left_out ?? [];
}
