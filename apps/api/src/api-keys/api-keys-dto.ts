import type { ApiKey } from '@mailstead/core/api-keys/api-key';
import type { AliasUsage, DomainUsage, MailboxUsage } from '@mailstead/core/api-keys/api-key-repository';
import { Bool, Integer, ListOf, Text, Time } from '../http/fields.js';
import { PageQuery } from '../http/paging.js';
import { timestamp, timestampOrNull } from '../http/timestamp.js';

const MAX_LIMIT = 1_000_000;

export class UpdateApiKeyBody {
  @Integer({ min: 0, max: MAX_LIMIT, optional: true, description: '0 is unlimited' })
  domains_allowed?: number;

  @Integer({ min: 0, max: MAX_LIMIT, optional: true, description: '0 is unlimited' })
  mailboxes_per_domain?: number;

  @Integer({ min: 0, max: MAX_LIMIT, optional: true, description: '0 is unlimited' })
  aliases_per_mailbox?: number;

  @Bool({ optional: true })
  active?: boolean;

  @Time({ optional: true, nullable: true, description: 'The time when the key expires; null: never' })
  expires_at?: Date | null;
}

export class CreateApiKeyBody extends UpdateApiKeyBody {
  @Text({ max: 255, description: '16 to 255 characters of A-Z a-z 0-9 . _ ~ + = -; not only digits' })
  token!: string;

  @Text({ max: 128 })
  partner_ref!: string;
}

export class ApiKeyResponse {
  @Integer({ min: 1 }) id!: number;
  @Text({ description: 'The full token when the request contained it, else masked' }) token!: string;
  @Text() partner_ref!: string;
  @Integer() domains_allowed!: number;
  @Integer() domains_used!: number;
  @Integer() mailboxes_per_domain!: number;
  @Integer() aliases_per_mailbox!: number;
  @Bool() active!: boolean;
  @Time({ nullable: true }) expires_at!: string | null;
  @Time() created_at!: string;
  @Time({ nullable: true }) last_used_at!: string | null;
}

export class ApiKeysQuery extends PageQuery {
  @Text({ max: 128, optional: true })
  partner_ref?: string;
}

export class UsageQuery {
  @Time({ optional: true, description: 'List only what was created after this time' })
  since?: Date;
}

export class CreatedDomain {
  @Text() name!: string;
  @Time() created_at!: string;
}

export class CreatedMailbox {
  @Text() email!: string;
  @Time() created_at!: string;
}

export class CreatedAlias {
  @Text() address!: string;
  @Text() destination!: string;
  @Time() created_at!: string;
}

export class UsageResponse {
  @Integer() domains_allowed!: number;
  @Integer() domains_used!: number;
  @Integer() mailboxes_per_domain!: number;
  @Integer() aliases_per_mailbox!: number;
  @ListOf(CreatedDomain) domains_created_since!: CreatedDomain[];
  @ListOf(CreatedMailbox) mailboxes_created_since!: CreatedMailbox[];
  @ListOf(CreatedAlias) aliases_created_since!: CreatedAlias[];
}

/** @param token the full token when the request contained it, else null. */
export function presentApiKey(key: ApiKey, domainsUsed: number, token: string | null): ApiKeyResponse {
  return {
    id: key.id,
    token: token ?? key.tokenMask,
    partner_ref: key.partnerRef,
    domains_allowed: key.domainsAllowed,
    domains_used: domainsUsed,
    mailboxes_per_domain: key.mailboxesPerDomain,
    aliases_per_mailbox: key.aliasesPerMailbox,
    active: key.active,
    expires_at: timestampOrNull(key.expiresAt),
    created_at: timestamp(key.createdAt),
    last_used_at: timestampOrNull(key.lastUsedAt),
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
