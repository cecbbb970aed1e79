import { queryOptions } from '@tanstack/react-query';
import { pagedQuery } from '../parts/paged-list.js';
import { api } from './client.js';
import type { Bounce, Outbound } from './shapes.js';

/** The sending of a domain: its limits and what is used of them. */
export function outboundQuery(domain: string) {
  return queryOptions({
    queryKey: ['domain', domain, 'outbound'],
    queryFn: async () =>
      (await api.GET('/domains/{domain_name}/outbound', { params: { path: { domain_name: domain } } }))
        .data as Outbound,
  });
}

/** 30 UTC days, the open one included. */
export function outboundDaysQuery(domain: string) {
  return queryOptions({
    queryKey: ['domain', domain, 'outbound-days'],
    queryFn: async () =>
      (await api.GET('/domains/{domain_name}/outbound/days', { params: { path: { domain_name: domain } } })).data ?? [],
  });
}

/** Who sent today, the most first. */
export function sendersQuery(domain: string) {
  return queryOptions({
    queryKey: ['domain', domain, 'senders'],
    queryFn: async () =>
      (
        await api.GET('/domains/{domain_name}/outbound/senders', {
          params: { path: { domain_name: domain }, query: { limit: 20 } },
        })
      ).data ?? [],
  });
}

/** The messages of 30 days that came back, newest first. */
export function bouncesQuery(domain: string) {
  return pagedQuery<Bounce>(
    ['domain', domain, 'bounces'],
    (page) => api.GET('/domains/{domain_name}/bounces', { params: { path: { domain_name: domain }, query: page } }),
    20,
  );
}
