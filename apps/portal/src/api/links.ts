import { pagedQuery } from '../parts/paged-list.js';
import { api } from './client.js';
import type { CreatedPortalLink, PortalLink } from './shapes.js';

interface NewLink {
  domain: string;
  scope: PortalLink['scope'];
  days?: number;
  minutes?: number;
}

/** The links to the portal, newest first. */
export function linksQuery(partnerRef: string | undefined) {
  const filter = partnerRef === undefined ? {} : { partner_ref: partnerRef };
  return pagedQuery<PortalLink>(['links', filter], (page) =>
    api.GET('/portal-links', { params: { query: { ...filter, ...page, order: 'desc' } } }),
  );
}

export async function makeLink(link: NewLink): Promise<CreatedPortalLink> {
  const { data } = await api.POST('/portal-links', { body: link });
  return data as CreatedPortalLink;
}

export async function endLink(id: number): Promise<void> {
  await api.DELETE('/portal-links/{link_id}', { params: { path: { link_id: String(id) } } });
}

/** The service names its own address only with `PUBLIC_URL`. */
export function addressOf({ url }: CreatedPortalLink): string {
  return new URL(url, window.location.origin).href;
}
