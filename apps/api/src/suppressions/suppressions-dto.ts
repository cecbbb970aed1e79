import { type Partner, SUPPRESSION_MODES, type SuppressionMode } from '@mailstead/core/partners/partner';
import {
  SUPPRESSION_REASONS,
  type Suppression,
  type SuppressionReason,
} from '@mailstead/core/suppressions/suppression';
import { parseSuppressedAddress } from '@mailstead/core/suppressions/suppression-address';
import { Enum, FreeText, Integer, Text, Time, Total } from '../http/fields.js';
import { type CountedQuery, PartnerFilterQuery } from '../http/paging.js';
import { REVISION } from '../http/revision.js';
import { ADDRESS_RULE, domainName, notBlank, parsedBy, partnerRef } from '../http/text-rules.js';
import { timestamp } from '../http/timestamp.js';

const ADDRESS = 'The address, in lower case, its domain as A-labels';
/** Without tenants of SES a lift has nothing to wait for. */
const PROVIDER_STATES = ['none', 'pending', 'failed'] as const;

const suppressedAddress = parsedBy(parseSuppressedAddress, ADDRESS_RULE);

export class SuppressionsQuery extends PartnerFilterQuery implements CountedQuery {
  @Total() total?: 'true';

  @Text({
    max: 1_000,
    rule: domainName,
    optional: true,
    description: 'Only suppressions of this domain, none of the partner as a whole; required for limited keys',
    example: 'example.com',
  })
  domain?: string;

  @Text({ max: 1_000, rule: notBlank, optional: true, description: 'The beginning of the address', example: 'jo' })
  q?: string;

  @Enum(SUPPRESSION_REASONS, { optional: true, description: 'Only those with this reason', example: 'bounce' })
  reason?: SuppressionReason;
}

export class CreateSuppressionBody {
  @Text({
    max: 320,
    rule: suppressedAddress,
    description: 'The address to which is not sent',
    example: 'joe@elsewhere.example',
  })
  address!: string;

  @Text({
    max: 1_000,
    rule: domainName,
    optional: true,
    nullable: true,
    description: 'The domain that does not send to it; null: all domains of the partner',
    example: 'example.com',
  })
  domain?: string | null;

  @FreeText({ max: 128, optional: true, nullable: true, description: 'A note for yourself' })
  note?: string | null;

  @Text({
    max: 128,
    rule: partnerRef,
    optional: true,
    description: 'The partner, instead of a domain (master only)',
  })
  partner_ref?: string;
}

export class SuppressionModeBody {
  @Enum(SUPPRESSION_MODES, {
    description: '`refuse`: suppressed recipients are refused; `list`: suppressions are only listed',
    example: 'refuse',
  })
  mode!: SuppressionMode;
}

export class SuppressionModeResponse {
  @Enum(SUPPRESSION_MODES, {
    description: '`refuse`: suppressed recipients are refused; `list`: suppressions are only listed',
    example: 'refuse',
  })
  mode!: SuppressionMode;
  @Integer(REVISION) revision!: number;
}

export function presentMode({ suppressionMode, revision }: Partner): SuppressionModeResponse {
  return { mode: suppressionMode, revision };
}

export class SuppressionResponse {
  @Integer({ min: 1, description: 'The id of the suppression', example: 1 }) id!: number;
  @Text({ description: ADDRESS, example: 'joe@elsewhere.example' }) address!: string;
  @Text({ nullable: true, description: 'The domain; null: all domains of the partner', example: 'example.com' })
  domain!: string | null;
  @Enum(SUPPRESSION_REASONS, {
    description: 'A permanent bounce or a complaint that the relay reported, or made by hand',
    example: 'manual',
  })
  reason!: SuppressionReason;
  @Text({ nullable: true, description: 'A note of its maker', example: null }) note!: string | null;
  @Time({ description: 'When it began' }) since!: string;
  @Time({ nullable: true, description: 'When it ends by itself; null: never' }) expires_at!: string | null;
  @Enum(PROVIDER_STATES, {
    description:
      'Whether it is lifted, and waits for the tenant at SES to confirm it; then it is listed without effect. `failed`: lift it again. `none`: it is not lifted',
    example: 'none',
  })
  provider!: (typeof PROVIDER_STATES)[number];
}

/** The columns of the list as CSV. */
export const SUPPRESSION_COLUMNS = [
  'id',
  'address',
  'domain',
  'reason',
  'note',
  'since',
  'expires_at',
  'provider',
] as const satisfies (keyof SuppressionResponse)[];

export function presentSuppression(suppression: Suppression): SuppressionResponse {
  const { id, address, domain, reason, note, since, expiresAt, lift } = suppression;
  return {
    id,
    address,
    domain,
    reason,
    note,
    since: timestamp(since),
    expires_at: expiresAt === null ? null : timestamp(expiresAt),
    provider: lift ?? 'none',
  };
}
