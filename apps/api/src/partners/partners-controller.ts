import { AppError } from '@mailstead/core/errors';
import { parsePartnerRef } from '@mailstead/core/partners/partner';
import type { PartnerRepository } from '@mailstead/core/partners/partner-repository';
import { listed } from '../http/paging.js';
import { type Controller, type Route, route } from '../http/route.js';
import { PartnerResponse, PartnersQuery, presentPartner } from './partners-dto.js';

export class PartnersController implements Controller {
  constructor(private readonly partners: PartnerRepository) {}

  routes(): Route[] {
    return [
      route({
        method: 'get',
        path: '/partners/',
        access: 'master',
        summary: 'List partners by reference',
        query: PartnersQuery,
        response: [PartnerResponse],
        run: ({ query }) =>
          listed(
            {
              start: query.after ?? '',
              read: (after, rows) => this.partners.summaries(after, rows),
              positionAfter: ({ ref }): string => ref,
              atMost: query.limit ?? null,
            },
            presentPartner,
          ),
      }),
      route({
        method: 'get',
        path: '/partners/:partner_ref',
        access: 'master',
        summary: 'Read the domains, mailboxes, aliases and keys in use by a partner',
        response: PartnerResponse,
        run: async ({ params }) => {
          const ref = parsePartnerRef(params.partner_ref ?? '');
          const summary = ref === null ? null : await this.partners.summary(ref);
          if (summary === null) throw new AppError('partner_not_found');
          return presentPartner(summary);
        },
      }),
    ];
  }
}
