import { queryOptions } from '@tanstack/react-query';
import { api } from './client.js';
import { keys } from './keys.js';
import { msToNextChange } from './next-change.js';
import { totalOf } from './paged-list.js';
import { statusOf } from './problem.js';
import type { Domain, DomainFilters, Needing } from './shapes.js';

/** Domains of each state that Home may show. */
const SHOWN = 5;

/** Whether there is any domain at all. */
export function hasDomainsQuery(partnerRef: string | undefined) {
  const filter = partnerRef === undefined ? {} : { partner_ref: partnerRef };
  return queryOptions({
    queryKey: keys.anyDomain(partnerRef),
    queryFn: async () =>
      (await api.GET('/domains/', { params: { query: { ...filter, limit: 1 } } })).data?.length !== 0,
  });
}

/** Domains whose mail does not pass now: a state that Home asks for, or a reason for attention. */
export interface Need {
  reason: 'stopped' | 'pending' | Needing['reason'];
  count: number;
  /** There may be more than that. */
  more: boolean;
  /** The oldest ones. */
  first: Domain[];
}

/** How many domains need someone, those that are stopped first, then by reason. */
export function attentionQuery(partnerRef: string | undefined) {
  const query = partnerRef === undefined ? {} : { partner_ref: partnerRef };
  return queryOptions({
    queryKey: keys.attention(partnerRef),
    queryFn: async (): Promise<Need[]> => {
      const [stopped, reasons, pending] = await Promise.all([
        inStates('stopped', { ...query, state: 'no,waits' }),
        api.GET('/me/attention', { params: { query } }),
        inStates('pending', { ...query, state: 'pending' }),
      ]);
      return [stopped, ...(reasons.data as Needing[]), pending].filter(({ count }) => count > 0);
    },
    refetchInterval: ({ state: { data = [] } }) => msToNextChange(data.flatMap(({ first }) => first)),
  });
}

async function inStates(reason: Need['reason'], filters: DomainFilters): Promise<Need> {
  const query = { ...filters, view: 'full', limit: SHOWN, total: 'true' } as const;
  try {
    const { data, response } = await api.GET('/domains/', { params: { query } });
    const { count, more } = totalOf(response.headers.get('total-count')) ?? { count: 0, more: false };
    return { reason, count, more, first: data as Domain[] };
  } catch (error) {
    // A process of the former release does not know the filter (@until 5.3).
    if (statusOf(error) === 422) return { reason, count: 0, more: false, first: [] };
    throw error;
  }
}
