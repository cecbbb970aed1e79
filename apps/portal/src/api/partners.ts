import { queryOptions } from '@tanstack/react-query';
import { type BasedOn, ifMatch } from './based-on.js';
import { change } from './change.js';
import { api } from './client.js';
import { keys } from './keys.js';
import { COUNTED, pagedByName } from './paged-list.js';
import { Refusal, sentenceOf } from './problem.js';
import type { ApiKey, Bodies, Partner, PartnerFilters } from './shapes.js';

const OF_STAGE = [keys.partners, keys.domains, keys.everyDomain];

/** The partners by reference. */
export function partnersQuery(filters: PartnerFilters) {
  return pagedByName<Partner>(
    keys.partnerList(filters),
    (page) => api.GET('/partners/', { params: { query: { ...filters, ...page } } }),
    COUNTED,
  );
}

export function partnerQuery(ref: string) {
  return queryOptions({
    queryKey: keys.partner(ref),
    queryFn: async () => (await api.GET('/partners/{partner_ref}', at(ref))).data as Partner,
  });
}

/** A partner, which begins with its first key. */
export interface NewPartner {
  key: Bodies['CreateApiKeyBody'];
  name: string | null;
}

/** Another key would be no new partner. */
export class PartnerExists extends Refusal {}

export interface AddedPartner {
  /** With its token, which the service shows this once. */
  key: ApiKey;
  /** Why the name was not saved; null: it was, or there is none. */
  nameProblem: string | null;
}

/** Creates the first key, and with it the partner. @throws PartnerExists */
export const addPartner = change({
  run: async ({ key: body, name }: NewPartner): Promise<AddedPartner> => {
    const ref = body.partner_ref;
    if (await isThere(ref)) throw new PartnerExists(`The partner ${ref} is there already.`);
    const key = (await api.POST('/api-keys/', { body })).data as ApiKey;
    try {
      if (name !== null) await api.PUT('/partners/{partner_ref}', { ...at(ref), body: { name } });
      return { key, nameProblem: null };
    } catch (error) {
      // The token must be shown: it cannot be read again.
      return { key, nameProblem: sentenceOf(error) };
    }
  },
  touches: [keys.apiKeys, keys.partners, keys.everyFirstSteps],
});

/** Not by its record: an answer 404 is a line on the browser's console. */
async function isThere(ref: string): Promise<boolean> {
  const query = { partner_ref: ref, limit: 1 };
  const lists = await Promise.all([
    api.GET('/api-keys/', { params: { query } }),
    api.GET('/domains/', { params: { query } }),
  ]);
  return lists.some(({ data }) => (data ?? []).length > 0);
}

export const changePartner = (ref: string) =>
  change({
    run: async ({ body, revision }: BasedOn<Bodies['UpdatePartnerBody']>) => {
      await api.PUT('/partners/{partner_ref}', { ...at(ref), body, headers: ifMatch(revision) });
    },
    touches: [keys.partners],
  });

/** A cause of the suspension of a partner, and what it stops. */
/** Without a message, that of the cause stays as it is. A process of the former release has none. @until 5.3 */
export type PartnerSuspension = Omit<Cause, 'message'> & Partial<Pick<Cause, 'message'>>;
type Cause = Partner['suspension_causes'][number];

/** Adds a cause, or changes what it stops. */
export const suspendPartner = (ref: string) =>
  change({
    run: async ({ cause, stage, message }: PartnerSuspension) => {
      const body = { cause, stage, ...(message === undefined ? {} : { message }) };
      await api.PUT('/partners/{partner_ref}/suspend', { ...at(ref), body });
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
