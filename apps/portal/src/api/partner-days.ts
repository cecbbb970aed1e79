import { queryOptions } from '@tanstack/react-query';
import { api } from './client.js';
import { keys } from './keys.js';

/** 30 UTC days of all domains of the caller's partner; for operators of the named partner, or of all. */
export function partnerOutboundDaysQuery(partnerRef: string | undefined) {
  const filter = partnerRef === undefined ? {} : { partner_ref: partnerRef };
  return queryOptions({
    queryKey: keys.partnerOutboundDays(partnerRef),
    queryFn: async () => (await api.GET('/outbound/days', { params: { query: filter } })).data ?? [],
  });
}
