import { AppError } from '@mailstead/core/errors';
import { parsePartnerRef } from '@mailstead/core/partners/partner';
import type { PartnerRepository, PartnerSummary } from '@mailstead/core/partners/partner-repository';
import { Integer, QueryInteger, Text } from '../fields.js';
import { paged, type Route, route, streamed } from '../route.js';

const PARTNERS_PER_READ = 1_000;

class PartnersQuery {
  @QueryInteger({ min: 1, max: PARTNERS_PER_READ, optional: true })
  limit?: number;

  @Text({ max: 128, optional: true, description: 'Only partners whose reference sorts after it' })
  after?: string;
}

class PartnerAnswer {
  @Text() partner_ref!: string;
  @Integer() domains_used!: number;
  @Integer() mailboxes!: number;
  @Integer() aliases!: number;
  @Integer() keys!: number;
}

export function partnersController(use: { partners: PartnerRepository }): Route[] {
  return [
    route({
      method: 'get',
      path: '/partners/',
      access: 'master',
      summary: 'List partners by reference',
      query: PartnersQuery,
      answer: [PartnerAnswer],
      run: async ({ query }) => {
        if (query.limit === undefined) return streamed(everySummary(use.partners, query.after ?? ''));
        const rows = await use.partners.summaries(query.after ?? '', query.limit);
        const last = rows.at(-1);
        return paged(rows.map(present), rows.length === query.limit && last !== undefined ? last.ref : null);
      },
    }),
    route({
      method: 'get',
      path: '/partners/:partner_ref',
      access: 'master',
      summary: 'Read what a partner has and uses',
      answer: PartnerAnswer,
      run: async ({ params }) => {
        const ref = parsePartnerRef(params.partner_ref ?? '');
        const summary = ref === null ? null : await use.partners.summary(ref);
        if (summary === null) throw new AppError('partner_not_found');
        return present(summary);
      },
    }),
  ];
}

async function* everySummary(partners: PartnerRepository, from: string): AsyncGenerator<PartnerAnswer[]> {
  let after = from;
  for (;;) {
    const rows = await partners.summaries(after, PARTNERS_PER_READ);
    if (rows.length > 0) yield rows.map(present);
    const last = rows.at(-1);
    if (last === undefined || rows.length < PARTNERS_PER_READ) return;
    after = last.ref;
  }
}

function present({ ref, domainsUsed, mailboxes, aliases, keys }: PartnerSummary): PartnerAnswer {
  return { partner_ref: ref, domains_used: domainsUsed, mailboxes, aliases, keys };
}
