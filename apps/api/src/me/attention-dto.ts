import { ATTENTION_REASONS } from '@mailstead/core/attention/attention';
import type { NeedingStated } from '@mailstead/core/domain-states/domain-states';
import { COUNTED_DOMAINS, FIRST_DOMAINS } from '@mailstead/core/domains/domain-finder';
import { DomainDetailsResponse, presentDomainDetails } from '../domains/domains-dto.js';
import { Bool, Enum, Integer, ListOf, Text } from '../http/fields.js';
import { anyPartnerRef } from '../http/text-rules.js';

export class AttentionQuery {
  @Text({
    max: 128,
    rule: anyPartnerRef,
    optional: true,
    description: 'Only domains of this partner (master, billing and read)',
  })
  partner_ref?: string;
}

export class AttentionResponse {
  @Enum(ATTENTION_REASONS, { description: 'Why somebody should look at the domains' }) reason!: string;
  @Integer({ description: `How many domains have the reason, counted up to ${COUNTED_DOMAINS}`, example: 3 })
  count!: number;
  @Bool({ description: 'Whether there may be more domains than were counted', example: false }) more!: boolean;
  @ListOf(DomainDetailsResponse, {
    max: FIRST_DOMAINS,
    description: `The oldest ones, at most ${FIRST_DOMAINS}; for \`partner_suspended\` the oldest domain of each partner`,
  })
  first!: DomainDetailsResponse[];
}

export function presentAttention(
  { reason, count, more, first }: NeedingStated,
  now: Date,
  isClient: boolean,
): AttentionResponse {
  return {
    reason,
    count,
    more,
    first: first.map((found) => presentDomainDetails(found, now, isClient)),
  };
}
