import { AppError, invalidField } from '@mailstead/core/errors';
import { needs } from '@mailstead/core/needs';
import { scopeOf } from '@mailstead/core/operators/actor';
import { CreatePortalLink, type CreatePortalLinkCommand } from '@mailstead/core/portal-links/create-portal-link';
import { DeletePortalLink } from '@mailstead/core/portal-links/delete-portal-link';
import { LINK_LIFETIMES } from '@mailstead/core/portal-links/portal-link';
import { PortalLinkRepository } from '@mailstead/core/portal-links/portal-link-repository';
import type { EveryFieldOf } from '../http/body-fields.js';
import { PartnerFilterQuery, page } from '../http/paging.js';
import { domainNameField } from '../http/parse.js';
import { type Controller, type Route, route } from '../http/route.js';
import { timestamp } from '../http/timestamp.js';
import {
  CreatedPortalLinkResponse,
  CreatePortalLinkBody,
  PortalLinkResponse,
  presentPortalLink,
} from './portal-links-dto.js';
import { PortalUrls } from './portal-urls.js';

@needs(PortalLinkRepository, CreatePortalLink, DeletePortalLink, PortalUrls)
export class PortalLinksController implements Controller {
  constructor(
    private readonly links: PortalLinkRepository,
    private readonly createPortalLink: CreatePortalLink,
    private readonly deletePortalLink: DeletePortalLink,
    private readonly urls: PortalUrls,
  ) {}

  routes(): Route[] {
    return [
      route({
        method: 'post',
        path: '/portal-links',
        access: 'client',
        scopes: ['billing'],
        wholePartner: true,
        summary: 'Make a link that lets somebody into the portal for one domain',
        description:
          'The scope `billing` makes `dns` links only. The link ends with its domain, with the key or token that made it, and when it is deleted. A key has at most 100 links that have not expired.',
        errors: ['domain_not_found', 'partner_has_no_key', 'too_many_links'],
        body: CreatePortalLinkBody,
        response: CreatedPortalLinkResponse,
        status: 201,
        run: async ({ actor, body }): Promise<CreatedPortalLinkResponse> => {
          const command = {
            domain: domainNameField('domain', body.domain),
            kind: body.scope,
            lifetimeMs: lifetimeOf(body),
          } satisfies EveryFieldOf<CreatePortalLinkBody, CreatePortalLinkCommand, 'scope' | 'days' | 'minutes'>;
          const { link, code } = await this.createPortalLink.execute(actor, command);
          return { id: link.id, url: this.urls.entrance(code), expires_at: timestamp(link.expiresAt) };
        },
      }),
      route({
        method: 'get',
        path: '/portal-links',
        access: 'client',
        wholePartner: true,
        summary: 'List the links to the portal',
        description: 'Links stay in the list for a day after they expired. The list shows no codes.',
        query: PartnerFilterQuery,
        response: [PortalLinkResponse],
        run: ({ actor, query }) =>
          page(
            query,
            (at) => this.links.page({ scope: scopeOf(actor), ...query.filter(actor) }, at),
            presentPortalLink,
          ),
      }),
      route({
        method: 'delete',
        path: '/portal-links/:link_id',
        access: 'client',
        scopes: ['billing'],
        wholePartner: true,
        summary: 'Delete a link, and end the sessions that it opened',
        description: 'The scope `billing` deletes only the links that it made.',
        response: null,
        status: 204,
        run: ({ actor, params }) => this.deletePortalLink.execute(actor, linkIdParam(params.link_id)),
      }),
    ];
  }
}

/** @throws AppError validation_failed for the lifetime of the other kind */
function lifetimeOf({ scope, days, minutes }: CreatePortalLinkBody): number {
  if (scope === 'dns' && minutes !== undefined)
    throw invalidField('minutes', 'is only for links with the scope manage');
  if (scope === 'manage' && days !== undefined) throw invalidField('days', 'is only for links with the scope dns');
  const { unitMs, usual } = LINK_LIFETIMES[scope];
  return (days ?? minutes ?? usual) * unitMs;
}

function linkIdParam(text: string): number {
  if (!/^\d{1,15}$/.test(text)) throw new AppError('portal_link_not_found');
  return Number(text);
}
