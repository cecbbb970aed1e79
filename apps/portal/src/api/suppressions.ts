import { queryOptions } from '@tanstack/react-query';
import { change } from './change.js';
import { api } from './client.js';
import { keys } from './keys.js';
import { COUNTED, pagedQuery } from './paged-list.js';
import { problemSentence } from './problem.js';
import type { Bodies, Suppression, SuppressionFilters, SuppressionMode } from './shapes.js';

/** The addresses to which is not sent, newest first. */
export function suppressionsQuery(filters: SuppressionFilters) {
  return pagedQuery<Suppression>(
    keys.suppressionList(filters),
    async (page) => {
      const { data, response } = await api.GET('/suppressions/', {
        params: { query: { ...filters, order: 'desc', ...page } },
      });
      // Not the CSV file, which is another answer of this route.
      return { data: data as Suppression[], response };
    },
    COUNTED,
  );
}

export const createSuppression = change({
  run: async (body: Bodies['CreateSuppressionBody']) =>
    (await api.POST('/suppressions/', { body })).data as Suppression,
  touches: [keys.suppressions],
});

/** An address that was not suppressed, with the sentence of its problem. */
export interface Refused {
  address: string;
  why: string;
}

/** Its result tells how many are suppressed now, and which were refused. */
export const createSuppressions = change({
  run: async ({ addresses, ...others }: { addresses: string[]; domain: string | null; note: string | null }) => {
    const items = addresses.map((address) => ({ address, ...others }));
    const { data } = await api.POST('/suppressions/bulk', { body: { items } });
    const outcomes = data ?? [];
    const refused = outcomes.flatMap(({ problem }, index): Refused[] => {
      return problem === undefined ? [] : [{ address: addresses[index] ?? '', why: problemSentence(problem) }];
    });
    return { created: outcomes.length - refused.length, refused };
  },
  touches: [keys.suppressions],
});

export const deleteSuppression = (id: number) =>
  change({
    run: async () => {
      await api.DELETE('/suppressions/{suppression_id}', { params: { path: { suppression_id: String(id) } } });
    },
    touches: [keys.suppressions],
  });

/** Whether mail to suppressed addresses is refused. @param partnerRef undefined: the caller's own partner */
export function suppressionModeQuery(partnerRef: string | undefined) {
  return queryOptions({
    queryKey: keys.suppressionMode(partnerRef),
    queryFn: async () =>
      (partnerRef === undefined
        ? await api.GET('/me/suppressions')
        : await api.GET('/partners/{partner_ref}/suppressions', { params: { path: { partner_ref: partnerRef } } })
      ).data as SuppressionMode,
  });
}

export const changeSuppressionMode = (partnerRef: string | undefined) =>
  change({
    run: async (body: Bodies['SuppressionModeBody']) =>
      (partnerRef === undefined
        ? await api.PUT('/me/suppressions', { body })
        : await api.PUT('/partners/{partner_ref}/suppressions', { params: { path: { partner_ref: partnerRef } }, body })
      ).data as SuppressionMode,
    touches: [keys.suppressionMode(partnerRef)],
  });
