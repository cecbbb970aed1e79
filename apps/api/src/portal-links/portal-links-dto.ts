import { LINK_KINDS, LINK_LIFETIMES, type PortalLink } from '@mailstead/core/portal-links/portal-link';
import { Enum, Integer, Text, Time } from '../http/fields.js';
import { domainName } from '../http/text-rules.js';
import { timestamp, timestampOrNull } from '../http/timestamp.js';

const KIND = '`dns`: the page with the DNS records, as often as one likes. `manage`: one login to manage the domain';

export class CreatePortalLinkBody {
  @Text({ max: 253, rule: domainName, description: 'The domain that the link is for', example: 'example.com' })
  domain!: string;
  @Enum(LINK_KINDS, { description: KIND, example: 'dns' }) scope!: (typeof LINK_KINDS)[number];
  @Integer({
    min: 1,
    max: LINK_LIFETIMES.dns.max,
    optional: true,
    description: `How many days a \`dns\` link is valid; without it ${LINK_LIFETIMES.dns.usual}`,
    example: 7,
  })
  days?: number;
  @Integer({
    min: 1,
    max: LINK_LIFETIMES.manage.max,
    optional: true,
    description: `How many minutes a \`manage\` link is valid; without it ${LINK_LIFETIMES.manage.usual}`,
  })
  minutes?: number;
}

export class CreatedPortalLinkResponse {
  @Integer({ min: 1, description: 'The id of the link', example: 1 }) id!: number;
  @Text({
    description: 'The link, with its code after `#`. It is shown this once; absolute with `PUBLIC_URL`',
    example: '/portal/enter#code=6Jc0a5ZbTq3oUuVtHkQyR1WmXw8s2NfL9pDgEiB7zKY',
  })
  url!: string;
  @Time({ description: 'Until when one can enter with it' }) expires_at!: string;
}

export class PortalLinkResponse {
  @Integer({ min: 1, description: 'The id of the link', example: 1 }) id!: number;
  @Text({ description: 'The domain that the link is for', example: 'example.com' }) domain!: string;
  @Text({ nullable: true, description: 'The partner of the domain; null: no partner', example: 'acme' })
  partner_ref!: string | null;
  @Enum(LINK_KINDS, { description: KIND, example: 'dns' }) scope!: string;
  @Integer({ nullable: true, description: 'The key that made the link; null: an operator', example: 1 })
  made_by!: number | null;
  @Time({ description: 'When it was made' }) created_at!: string;
  @Time({ description: 'Until when one can enter with it' }) expires_at!: string;
  @Time({ nullable: true, description: 'When it was first used; null: never', example: null }) used_at!: string | null;
}

export function presentPortalLink(link: PortalLink): PortalLinkResponse {
  return {
    id: link.id,
    domain: link.domainName,
    partner_ref: link.partnerRef,
    scope: link.kind,
    made_by: link.keyId,
    created_at: timestamp(link.createdAt),
    expires_at: timestamp(link.expiresAt),
    used_at: timestampOrNull(link.usedAt),
  };
}
