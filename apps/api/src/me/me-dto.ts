import type { PartnerStage } from '@mailstead/core/partners/partner';
import { ShownBrandResponse } from '../brands/brand-dto.js';
import { Bool, Enum, Integer, ListOfText, Nested, Text } from '../http/fields.js';

const PARTNER_STAGES = ['changes', 'all'] satisfies PartnerStage[];
const LINK_KINDS = ['dns', 'manage'];
const NULL_FOR_LIMITED = 'null for a caller that is limited to some domains, and for others than clients';
const OR_ALL =
  'for master and operators with the scope `read` of all partners; null for other operators, and for a caller that is limited to some domains';

class LimitsResponse {
  @Integer({ description: 'How many domains the partner may have; 0 is unlimited', example: 10 })
  domains_allowed!: number;
  @Integer({ description: 'How many mailboxes each domain may have; 0 is unlimited', example: 50 })
  mailboxes_per_domain!: number;
  @Integer({ description: 'How many aliases may deliver to each mailbox; 0 is unlimited', example: 5 })
  aliases_per_mailbox!: number;
}

export class MeResponse {
  @Enum(['master', 'operator', 'client'], { description: 'The kind of token', example: 'client' }) kind!: string;
  @Text({ nullable: true, description: 'The name of the operator; null for a client', example: null }) name!:
    | string
    | null;
  @Text({
    nullable: true,
    description: 'What the token may do: for an operator its scope, for a client `manage` or `read`; null for master',
    example: 'manage',
  })
  scope!: string | null;
  @Text({ nullable: true, description: 'The partner of the client; null for others', example: 'acme' }) partner_ref!:
    | string
    | null;
  @Enum(PARTNER_STAGES, {
    nullable: true,
    description: 'How the partner is suspended: `changes` or `all`; null when it is not',
    example: null,
  })
  partner_stage!: string | null;
  @Integer({ nullable: true, description: 'The id of the API key; null for others', example: 1 })
  key_id!: number | null;
  @Enum(LINK_KINDS, {
    nullable: true,
    description: 'The kind of the portal link that opened the session; null for others',
    example: null,
  })
  link!: string | null;
  @ListOfText({
    nullable: true,
    description: 'The names of the domains that the caller is limited to; null when it is not limited to domains',
    example: null,
  })
  domains!: string[] | null;
  @Nested(ShownBrandResponse, {
    nullable: true,
    description:
      "What the partner of the link's domain shows its customers; null for others than links, while the partner is suspended, and without a brand",
  })
  brand!: ShownBrandResponse | null;
  @Nested(LimitsResponse, { nullable: true, description: 'The limits of the client; null for others' })
  limits!: LimitsResponse | null;
  @Integer({
    nullable: true,
    description: 'How many partners there are; null for others than master and operators with the scope `read`',
    example: null,
  })
  partners!: number | null;
  @Integer({ nullable: true, description: `How many domains the partner has; ${OR_ALL}`, example: 1 })
  domains_used!: number | null;
  @Integer({ nullable: true, description: `How many mailboxes the partner has; ${OR_ALL}`, example: 1 })
  mailboxes!: number | null;
  @Integer({ nullable: true, description: `How many aliases the partner has; ${OR_ALL}`, example: 1 })
  aliases!: number | null;
  @Integer({
    nullable: true,
    description: `Outside recipients of messages that the partner sent today (UTC); ${OR_ALL}`,
    example: 12,
  })
  sent_today!: number | null;
  @Integer({
    nullable: true,
    description: `Outside recipients of messages that the partner sent this month (UTC); ${NULL_FOR_LIMITED}`,
    example: 340,
  })
  sent_this_month!: number | null;
  @ListOfText({
    description:
      'The operations (`operationId` of the OpenAPI document) that are not refused to the caller for its kind, its scope, its domains or the stage of its partner. What a request contains may still be refused',
    example: ['getMe', 'getDomains', 'getDomainsDomainName'],
  })
  may!: string[];
  @Bool({ optional: true, description: 'True for a demo, whose data is all invented. Left out otherwise' })
  demo?: boolean;
}
