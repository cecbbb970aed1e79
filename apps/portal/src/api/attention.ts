import { queryOptions } from '@tanstack/react-query';
import { api } from './client.js';
import { keys } from './keys.js';
import { msToNextChange } from './next-change.js';
import type { Needing } from './shapes.js';

/** Whether there is any domain at all. */
export function hasDomainsQuery(partnerRef: string | undefined) {
  const filter = partnerRef === undefined ? {} : { partner_ref: partnerRef };
  return queryOptions({
    queryKey: keys.anyDomain(partnerRef),
    queryFn: async () =>
      (await api.GET('/domains/', { params: { query: { ...filter, limit: 1 } } })).data?.length !== 0,
  });
}

/** How many domains need someone for each reason, the most severe first. */
export function attentionQuery(partnerRef: string | undefined) {
  const query = partnerRef === undefined ? {} : { partner_ref: partnerRef };
  return queryOptions({
    queryKey: keys.attention(partnerRef),
    queryFn: async () => (await api.GET('/me/attention', { params: { query } })).data as Needing[],
    refetchInterval: ({ state: { data = [] } }) => msToNextChange(data.flatMap(({ first }) => first)),
  });
}
