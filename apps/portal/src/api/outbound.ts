import { queryOptions } from '@tanstack/react-query';
import { type BasedOn, ifMatch } from './based-on.js';
import { change } from './change.js';
import { api } from './client.js';
import { keys } from './keys.js';
import { pagedQuery } from './paged-list.js';
import type { Bodies, Bounce, Outbound } from './shapes.js';

/** The sending of a domain: its limits and what is used of them. */
export function outboundQuery(domain: string) {
  return queryOptions({
    queryKey: keys.outbound(domain),
    queryFn: async () => (await api.GET('/domains/{domain_name}/outbound', at(domain))).data as Outbound,
  });
}

/** 30 UTC days of a domain, the open one included. */
export function outboundDaysQuery(domain: string) {
  return queryOptions({
    queryKey: keys.outboundDays(domain),
    queryFn: async () => (await api.GET('/domains/{domain_name}/outbound/days', at(domain))).data ?? [],
  });
}

/** Who sent today, the most first. */
export function sendersQuery(domain: string) {
  return queryOptions({
    queryKey: keys.senders(domain),
    queryFn: async () => {
      const params = { ...at(domain).params, query: { limit: 20 } };
      return (await api.GET('/domains/{domain_name}/outbound/senders', { params })).data ?? [];
    },
  });
}

/** The bounces and spam reports of 30 days, newest first. */
export function bouncesQuery(domain: string) {
  return pagedQuery<Bounce>(
    keys.bounces(domain),
    (page) => api.GET('/domains/{domain_name}/bounces', { params: { ...at(domain).params, query: page } }),
    { limit: 20 },
  );
}

/** Its result is the sending with the limits that hold now. */
export const changeOutbound = (domain: string) =>
  change({
    run: async ({ body, revision }: BasedOn<Bodies['OutboundChangeBody']>) => {
      const put = { ...at(domain), body, headers: ifMatch(revision) };
      return (await api.PUT('/domains/{domain_name}/outbound', put)).data as Outbound;
    },
    touches: [keys.domain(domain), keys.domains],
  });

function at(domain: string) {
  return { params: { path: { domain_name: domain } } };
}
