import { api } from './client.js';
import { keys } from './keys.js';
import { pagedQuery } from './paged-list.js';
import type { Webhook } from './shapes.js';

// Apart from the other queries and the changes of webhooks, because Home loads this one.

/** The endpoints of a partner; without one, those of the caller. There are at most five. */
export function webhooksQuery(partnerRef: string | undefined) {
  const filter = partnerRef === undefined ? {} : { partner_ref: partnerRef };
  return pagedQuery<Webhook>(keys.webhookList(partnerRef), (page) =>
    api.GET('/webhook-endpoints', { params: { query: { ...filter, ...page } } }),
  );
}
