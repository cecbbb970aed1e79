import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import { may } from './caller.js';
import { api } from './client.js';
import { keys } from './keys.js';
import type { Caller, Domain } from './shapes.js';

const ROWS = 6;

/** A few domains, mailboxes and partners that the text finds. A kind that fails is left out. */
export function foundQuery(q: string, caller: Caller) {
  return queryOptions({
    queryKey: keys.found(q),
    queryFn: async () => {
      const query = { q, limit: ROWS };
      const [domains, addresses, partners] = await Promise.allSettled([
        api.GET('/domains/', { params: { query: { ...query, view: 'full' } } }),
        may(caller, 'getUsers') ? api.GET('/users/', { params: { query } }) : { data: [] },
        may(caller, 'getPartners') ? api.GET('/partners/', { params: { query } }) : { data: [] },
      ]);
      return {
        domains: domains.status === 'fulfilled' ? ((domains.value.data as Domain[] | undefined) ?? []) : [],
        addresses: addresses.status === 'fulfilled' ? (addresses.value.data ?? []).map(({ email }) => email) : [],
        partners: partners.status === 'fulfilled' ? (partners.value.data ?? []) : [],
      };
    },
    enabled: q.length > 0,
    placeholderData: keepPreviousData,
  });
}
