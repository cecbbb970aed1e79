import { queryOptions } from '@tanstack/react-query';
import { pagedQuery } from '../parts/paged-list.js';
import { api } from './client.js';
import type { DnsCheck, Domain, DomainFilters, RelayStatus } from './shapes.js';

const POLL_UNVERIFIED_MS = 5_000;

/** Domains as `GET /domains/{domain_name}` answers them, newest first, a page at a time. */
export function domainsQuery(filters: Omit<DomainFilters, 'limit' | 'after' | 'view'>) {
  return pagedQuery<Domain>(['domains', filters], async (page) => {
    const query = { ...filters, ...page, view: 'full', order: 'desc' } as const;
    const { data, response } = await api.GET('/domains/', { params: { query } });
    return { data: data as Domain[], response };
  });
}

/** Whether there is any domain at all. */
export function hasDomainsQuery(partnerRef: string | undefined) {
  const filter = partnerRef === undefined ? {} : { partner_ref: partnerRef };
  return queryOptions({
    queryKey: ['domains', 'any', filter],
    queryFn: async () =>
      (await api.GET('/domains/', { params: { query: { ...filter, limit: 1 } } })).data?.length !== 0,
  });
}

export function domainQuery(name: string) {
  return queryOptions({
    queryKey: ['domain', name],
    queryFn: async () =>
      (await api.GET('/domains/{domain_name}', { params: { path: { domain_name: name } } })).data as Domain,
    refetchInterval: ({ state }) => (state.data?.verification_status === 'verified' ? false : POLL_UNVERIFIED_MS),
  });
}

/** The state of the verification. While it is not verified, the service is asked again and again: it asks the relay. */
export function relayStatusQuery(name: string) {
  return queryOptions({
    queryKey: ['domain', name, 'relay-status'],
    queryFn: async () =>
      (await api.GET('/domains/{domain_name}/relay-status', { params: { path: { domain_name: name } } }))
        .data as RelayStatus,
    refetchInterval: ({ state }) => (state.data?.verified === true ? false : POLL_UNVERIFIED_MS),
  });
}

/** What is in the DNS now beside what should be. Each reading asks the name servers. */
export function dnsCheckQuery(name: string) {
  return queryOptions({
    queryKey: ['domain', name, 'dns-check'],
    queryFn: async () =>
      (await api.GET('/domains/{domain_name}/dns-check', { params: { path: { domain_name: name } } })).data as DnsCheck,
  });
}
