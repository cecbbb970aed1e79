import { change } from './change.js';
import { api } from './client.js';
import { keys } from './keys.js';
import { pagedQuery } from './paged-list.js';
import type { Bodies, CreatedPortalLink, PortalLink } from './shapes.js';

/** The links to the portal, newest first. */
export function linksQuery(partnerRef: string | undefined) {
  const filter = partnerRef === undefined ? {} : { partner_ref: partnerRef };
  return pagedQuery<PortalLink>(keys.linkList(partnerRef), (page) =>
    api.GET('/portal-links', { params: { query: { ...filter, ...page, order: 'desc' } } }),
  );
}

export const makeLink = change({
  run: async (body: Bodies['CreatePortalLinkBody']) =>
    (await api.POST('/portal-links', { body })).data as CreatedPortalLink,
  touches: [keys.links],
});

export const endLink = (id: number) =>
  change({
    run: async () => {
      await api.DELETE('/portal-links/{link_id}', { params: { path: { link_id: String(id) } } });
    },
    touches: [keys.links],
  });

/** The service names its own address only with `PUBLIC_URL`. */
export function addressOf({ url }: CreatedPortalLink): string {
  return new URL(url, window.location.origin).href;
}
