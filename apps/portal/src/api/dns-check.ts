import { queryOptions } from '@tanstack/react-query';
import { api } from './client.js';
import { keys } from './keys.js';
import type { DnsCheck } from './shapes.js';

/** What is in the DNS now beside what should be. Each reading asks the name servers. */
export function dnsCheckQuery(name: string) {
  return queryOptions({
    queryKey: keys.dnsCheck(name),
    queryFn: async () =>
      (await api.GET('/domains/{domain_name}/dns-check', { params: { path: { domain_name: name } } })).data as DnsCheck,
  });
}
