import { AppError } from '@mailstead/core/errors';
import { parsePartnerRef } from '@mailstead/core/partners/partner';
import type { PartnerRepository, PartnerSummary } from '@mailstead/core/partners/partner-repository';
import { Integer, QueryInteger, Text } from '../http/fields.js';
import { listed } from '../http/paging.js';
import { type Controller, type Route, route } from '../http/route.js';

const MAX_PAGE_ROWS = 1_000;

class PartnersQuery {
  @QueryInteger({ min: 1, max: MAX_PAGE_ROWS, optional: true })
  limit?: number;

  @Text({ max: 128, optional: true, description: 'Only partners whose reference sorts after it' })
  after?: string;
}

class PartnerResponse {
  @Text() partner_ref!: string;
  @Integer() domains_used!: number;
  @Integer() mailboxes!: number;
  @Integer() aliases!: number;
  @Integer() keys!: number;
}

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
            present,
          ),
      }),
      route({
        method: 'get',
        path: '/partners/:partner_ref',
        access: 'master',
        summary: 'Read what a partner has and uses',
        response: PartnerResponse,
        run: async ({ params }) => {
          const ref = parsePartnerRef(params.partner_ref ?? '');
          const summary = ref === null ? null : await this.partners.summary(ref);
          if (summary === null) throw new AppError('partner_not_found');
          return present(summary);
        },
      }),
    ];
  }
}

function present({ ref, domainsUsed, mailboxes, aliases, keys }: PartnerSummary): PartnerResponse {
  return { partner_ref: ref, domains_used: domainsUsed, mailboxes, aliases, keys };
}
