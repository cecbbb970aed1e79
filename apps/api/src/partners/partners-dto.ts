import type { PartnerSummary } from '@mailstead/core/partners/partner-repository';
import { Integer, QueryInteger, Text } from '../http/fields.js';

const MAX_PAGE_ROWS = 1_000;

export class PartnersQuery {
  @QueryInteger({ min: 1, max: MAX_PAGE_ROWS, optional: true })
  limit?: number;

  @Text({ max: 128, optional: true, description: 'Only partners whose reference sorts after this one' })
  after?: string;
}

export class PartnerResponse {
  @Text() partner_ref!: string;
  @Integer() domains_used!: number;
  @Integer() mailboxes!: number;
  @Integer() aliases!: number;
  @Integer() keys!: number;
}

export function presentPartner({ ref, domainsUsed, mailboxes, aliases, keys }: PartnerSummary): PartnerResponse {
  return { partner_ref: ref, domains_used: domainsUsed, mailboxes, aliases, keys };
}
