import { queryOptions } from '@tanstack/react-query';
import { type BasedOn, ifMatch } from './based-on.js';
import { change } from './change.js';
import { api } from './client.js';
import { keys } from './keys.js';
import { COUNTED, pagedByName } from './paged-list.js';
import type { Bodies, Partner } from './shapes.js';

const OF_STAGE = [keys.partners, keys.domains, keys.everyDomain];

/** The partners by reference. `q` is the beginning of the reference. */
export function partnersQuery(q: string) {
  return pagedByName<Partner>(
    keys.partnerList(q),
    (page) => api.GET('/partners/', { params: { query: { ...(q === '' ? {} : { q }), ...page } } }),
    COUNTED,
  );
}

export function partnerQuery(ref: string) {
  return queryOptions({
    queryKey: keys.partner(ref),
    queryFn: async () => (await api.GET('/partners/{partner_ref}', at(ref))).data as Partner,
  });
}

export const changePartner = (ref: string) =>
  change({
    run: async ({ body, revision }: BasedOn<Bodies['UpdatePartnerBody']>) => {
      await api.PUT('/partners/{partner_ref}', { ...at(ref), body, headers: ifMatch(revision) });
    },
    touches: [keys.partners],
  });

/** A cause of the suspension of a partner, and what it stops. */
export type PartnerSuspension = Partner['suspension_causes'][number];

/** Adds a cause, or changes what it stops. */
export const suspendPartner = (ref: string) =>
  change({
    run: async ({ cause, stage }: PartnerSuspension) => {
      await api.PUT('/partners/{partner_ref}/suspend', { ...at(ref), body: { cause, stage } });
    },
    touches: OF_STAGE,
  });

/** Lifts one cause of the suspension. The others stay. */
export const activatePartner = (ref: string) =>
  change({
    run: async (cause: PartnerSuspension['cause']) => {
      await api.PUT('/partners/{partner_ref}/activate', { ...at(ref), body: { cause } });
    },
    touches: OF_STAGE,
  });

function at(ref: string) {
  return { params: { path: { partner_ref: ref } } };
}
