import type { Alias } from '@mailstead/core/aliases/alias';
import type { DomainName } from '@mailstead/core/domains/domain-name';
import { domainOf } from '@mailstead/core/mailboxes/address';
import { Bool, Integer, Text, Time, Total } from '../http/fields.js';
import { type CountedQuery, PartnerFilterQuery } from '../http/paging.js';
import { aliasAddress, domainName, foreignAddress, newAliasAddress, notBlank } from '../http/text-rules.js';
import { timestamp } from '../http/timestamp.js';

export class CreateAliasBody {
  @Text({
    max: 320,
    rule: newAliasAddress,
    description: 'An address, or @domain for the catch-all',
    example: 'sales@example.com',
  })
  address!: string;

  @Text({
    max: 320,
    rule: foreignAddress,
    description: 'A mailbox of the same partner, or an outside address when the operator allows it',
    example: 'info@example.com',
  })
  destination!: string;
}

export class UpdateAliasBody {
  @Text({
    max: 320,
    rule: foreignAddress,
    description: 'A mailbox of the same partner, or an outside address when the operator allows it',
    example: 'info@example.com',
  })
  destination!: string;
}

export class AliasResponse {
  @Integer({ min: 1, description: 'The id of the alias', example: 1 }) id!: number;
  @Text({ description: 'The address, or `@domain` for the catch-all', example: 'sales@example.com' }) address!: string;
  @Text({
    nullable: true,
    description:
      'The address to which mail is delivered; null: it is in a domain that the caller does not see, because its key is limited to others',
    example: 'info@example.com',
  })
  destination!: string | null;
  @Bool({
    description: 'Whether it takes mail of every address of the domain that is neither a mailbox nor an alias',
    example: false,
  })
  catch_all!: boolean;
  @Time({ description: 'When it was created' }) created_at!: string;
}

export class AliasesQuery extends PartnerFilterQuery implements CountedQuery {
  @Total() total?: 'true';

  @Text({
    max: 1_000,
    rule: domainName,
    optional: true,
    description: 'Only aliases of this domain',
    example: 'example.com',
  })
  domain?: string;

  @Text({ max: 1_000, rule: notBlank, optional: true, description: 'The beginning of the address', example: 'sal' })
  q?: string;

  @Text({
    max: 320,
    rule: foreignAddress,
    optional: true,
    description: 'Only aliases that deliver to this address',
    example: 'info@example.com',
  })
  destination?: string;

  @Text({
    max: 320,
    rule: aliasAddress,
    optional: true,
    description: 'Only aliases of this address. Required for operators with the scope policy',
    example: 'sales@example.com',
  })
  address?: string;
}

/** @param limit the names of the domains that the caller is limited to; null: it sees all destinations */
export function presentAlias(alias: Alias, limit: ReadonlySet<DomainName> | null): AliasResponse {
  const isHidden = limit !== null && alias.destinationMailboxId !== null && !limit.has(domainOf(alias.destination));
  return {
    id: alias.id,
    address: alias.address,
    destination: isHidden ? null : alias.destination,
    catch_all: alias.catchAll,
    created_at: timestamp(alias.createdAt),
  };
}
