import { isUsableToken, MAX_KEY_DOMAINS, TOKEN_RULE } from '@mailstead/core/api-keys/api-key';
import type { AliasUsage, DomainUsage, KeyRecord, MailboxUsage } from '@mailstead/core/api-keys/api-key-repository';
import { CLIENT_SCOPES, type ClientScope } from '@mailstead/core/operators/caller';
import { Bool, Enum, FreeText, InputTime, Integer, ListOf, ListOfText, Text, Time, Total } from '../http/fields.js';
import { type CountedQuery, OrderedPageQuery } from '../http/paging.js';
import { REVISION } from '../http/revision.js';
import { anyPartnerRef, domainName, notBlank, partnerRef, type TextRule } from '../http/text-rules.js';
import { timestamp, timestampOrNull } from '../http/timestamp.js';

const MAX_LIMIT = 1_000_000;

const usableToken: TextRule = (token) => (isUsableToken(token) ? null : TOKEN_RULE);

/** The fields that a partner may set too, on the keys that its keys created. */
class KeyFieldsBody {
  @InputTime({ optional: true, nullable: true, description: 'The time when the key expires; null: never' })
  expires_at?: Date | null;

  @FreeText({
    optional: true,
    nullable: true,
    description: 'What the key is for; null: no name',
    example: 'shop',
  })
  name?: string | null;

  @Enum(CLIENT_SCOPES, {
    optional: true,
    description: '`manage` may change what the key sees, `read` may use every GET',
    example: 'manage',
  })
  scope?: ClientScope;

  @ListOfText({
    min: 1,
    max: MAX_KEY_DOMAINS,
    maxLength: 255,
    rule: domainName,
    optional: true,
    nullable: true,
    description:
      'Domains of the partner. To the key everything else of the partner is absent. A domain that is deleted or moved to another partner leaves the list, also when its name comes back. Null: all domains',
  })
  domains?: string[] | null;
}

/** Creates a key. Clients know the schema in the OpenAPI document by this name, so it stays. */
export class MakeKeyBody extends KeyFieldsBody {}

export class NarrowKeyBody extends KeyFieldsBody {
  @Bool({ optional: true, description: 'Whether the key is accepted; only the operator can set it to true again' })
  active?: boolean;
}

export class RotateKeyBody {
  @Integer({
    min: 0,
    max: 720,
    optional: true,
    description: 'How long the old token stays valid, hours. Default: 24',
    example: 24,
  })
  overlap_hours?: number;
}

export class UpdateApiKeyBody extends KeyFieldsBody {
  @Integer({
    min: 0,
    max: MAX_LIMIT,
    optional: true,
    description: 'How many domains the partner may have; 0 is unlimited',
    example: 10,
  })
  domains_allowed?: number;

  @Integer({
    min: 0,
    max: MAX_LIMIT,
    optional: true,
    description: 'How many mailboxes each domain may have; 0 is unlimited',
    example: 50,
  })
  mailboxes_per_domain?: number;

  @Integer({
    min: 0,
    max: MAX_LIMIT,
    optional: true,
    description: 'How many aliases may deliver to each mailbox; 0 is unlimited',
    example: 5,
  })
  aliases_per_mailbox?: number;

  @Bool({
    optional: true,
    description: 'Whether the key is accepted. Every further request with an inactive key is refused',
    example: true,
  })
  active?: boolean;
}

export class CreateApiKeyBody extends UpdateApiKeyBody {
  @Text({
    max: 255,
    rule: usableToken,
    description: '16 to 255 characters of A-Z a-z 0-9 . _ ~ + = -, at least 8 different ones; not only digits',
    example: 'acme.4f9KpX27uLw8ZtQe',
  })
  token!: string;

  @Text({
    max: 128,
    rule: partnerRef,
    description:
      'The partner of the key: 1 to 128 of A-Z a-z 0-9 . _ : @ -, but not `.` or `..`. It exists as soon as a key or a domain names it',
    example: 'acme',
  })
  partner_ref!: string;
}

export class ApiKeyResponse {
  @Integer({ min: 1, description: 'The id of the key', example: 1 }) id!: number;
  @Text({ description: 'The full token when the request contained it, else masked', example: 'acme.4f9KpX27uLw8ZtQe' })
  token!: string;
  @Text({ description: 'The partner of the key', example: 'acme' }) partner_ref!: string;
  @Integer({ description: 'How many domains the partner may have; 0 is unlimited', example: 10 })
  domains_allowed!: number;
  @Integer({ description: 'How many domains the partner has, the same for all its keys', example: 1 })
  domains_used!: number;
  @Integer({ description: 'How many mailboxes each domain may have; 0 is unlimited', example: 50 })
  mailboxes_per_domain!: number;
  @Integer({ description: 'How many aliases may deliver to each mailbox; 0 is unlimited', example: 5 })
  aliases_per_mailbox!: number;
  @Bool({ description: 'Whether the key is accepted', example: true }) active!: boolean;
  @Time({ nullable: true, description: 'When the key expires; null: never', example: null }) expires_at!: string | null;
  @Time({ description: 'When it was created' }) created_at!: string;
  @Time({ nullable: true, description: 'When a request was made with the key, to a few minutes; null: never' })
  last_used_at!: string | null;
  @Text({ nullable: true, description: 'What the key is for; null: no name', example: 'shop' }) name!: string | null;
  @Enum(CLIENT_SCOPES, {
    description: '`manage` may change what the key sees, `read` may use every GET',
    example: 'manage',
  })
  scope!: ClientScope;
  @ListOfText({
    nullable: true,
    description: 'The domains of the partner that the key is limited to; null: all. An empty list is no domain',
    example: null,
  })
  domains!: string[] | null;
  @Integer({
    min: 1,
    nullable: true,
    description: 'The id of the key that made this one, without which it is not valid; null: an operator',
    example: null,
  })
  made_by!: number | null;
  @Integer(REVISION) revision!: number;
}

export class ApiKeysQuery extends OrderedPageQuery implements CountedQuery {
  @Total() total?: 'true';

  @Text({
    max: 1_000,
    rule: notBlank,
    optional: true,
    description:
      'The beginning of the name of the key, or, without `partner_ref`, of the reference of its partner, exactly',
    example: 'ac',
  })
  q?: string;

  @Text({
    max: 128,
    rule: anyPartnerRef,
    optional: true,
    description: 'Only keys of this partner',
    example: 'acme',
  })
  partner_ref?: string;
}

export class UsageQuery {
  @InputTime({ optional: true, description: 'List only what was created after this time', example: '2026-01-01' })
  since?: Date;
}

export class CreatedDomain {
  @Text({ description: 'The name of the domain', example: 'example.com' }) name!: string;
  @Time({ description: 'When it was created' }) created_at!: string;
}

export class CreatedMailbox {
  @Text({ description: 'The address of the mailbox', example: 'info@example.com' }) email!: string;
  @Time({ description: 'When it was created' }) created_at!: string;
}

export class CreatedAlias {
  @Text({ description: 'The address of the alias', example: 'sales@example.com' }) address!: string;
  @Text({ description: 'The address to which it delivers', example: 'info@example.com' }) destination!: string;
  @Time({ description: 'When it was created' }) created_at!: string;
}

export class UsageResponse {
  @Integer({ description: 'How many domains the key allows; 0 is unlimited', example: 10 }) domains_allowed!: number;
  @Integer({ description: 'How many domains the partner has', example: 1 }) domains_used!: number;
  @Integer({ description: 'How many mailboxes each domain may have; 0 is unlimited', example: 50 })
  mailboxes_per_domain!: number;
  @Integer({ description: 'How many aliases may deliver to each mailbox; 0 is unlimited', example: 5 })
  aliases_per_mailbox!: number;
  @ListOf(CreatedDomain, { description: "The partner's domains that were created after `since`" })
  domains_created_since!: CreatedDomain[];
  @ListOf(CreatedMailbox, { description: "The partner's mailboxes that were created after `since`" })
  mailboxes_created_since!: CreatedMailbox[];
  @ListOf(CreatedAlias, { description: "The partner's aliases that were created after `since`" })
  aliases_created_since!: CreatedAlias[];
}

/** @param token the full token when the request contained it or the service has just created it, else null. */
export function presentApiKey(
  { chain: { key, limits }, domains, domainsUsed }: KeyRecord,
  token: string | null,
): ApiKeyResponse {
  return {
    id: key.id,
    token: token ?? key.tokenMask,
    partner_ref: key.partnerRef,
    domains_allowed: limits.domainsAllowed,
    domains_used: domainsUsed,
    mailboxes_per_domain: limits.mailboxesPerDomain,
    aliases_per_mailbox: limits.aliasesPerMailbox,
    active: key.active,
    expires_at: timestampOrNull(key.expiresAt),
    created_at: timestamp(key.createdAt),
    last_used_at: timestampOrNull(key.lastUsedAt),
    name: key.name,
    scope: key.scope,
    domains,
    made_by: key.makerId,
    revision: key.revision,
  };
}

export function presentDomainUsage({ name, createdAt }: DomainUsage): CreatedDomain {
  return { name, created_at: timestamp(createdAt) };
}

export function presentMailboxUsage({ email, createdAt }: MailboxUsage): CreatedMailbox {
  return { email, created_at: timestamp(createdAt) };
}

export function presentAliasUsage({ address, destination, createdAt }: AliasUsage): CreatedAlias {
  return { address, destination, created_at: timestamp(createdAt) };
}
