import type { Alias } from '@mailstead/core/aliases/alias';
import { Bool, Integer, Text, Time } from '../http/fields.js';
import { PartnerFilterQuery } from '../http/paging.js';
import { timestamp } from '../http/timestamp.js';

export class CreateAliasBody {
  @Text({ max: 320, description: 'An address, or @domain for the catch-all' })
  address!: string;

  @Text({ max: 320, description: 'A mailbox of the same partner' })
  destination!: string;
}

export class AliasResponse {
  @Integer({ min: 1 }) id!: number;
  @Text() address!: string;
  @Text() destination!: string;
  @Bool() catch_all!: boolean;
  @Time() created_at!: string;
}

export class AliasesQuery extends PartnerFilterQuery {
  @Text({ max: 1_000, optional: true, description: 'Only aliases of this domain' })
  domain?: string;

  @Text({ max: 320, optional: true, description: 'Only aliases that deliver to this address' })
  destination?: string;

  @Text({ max: 320, optional: true, description: 'Only aliases of this address' })
  address?: string;
}

export function presentAlias(alias: Alias): AliasResponse {
  return {
    id: alias.id,
    address: alias.address,
    destination: alias.destination,
    catch_all: alias.catchAll,
    created_at: timestamp(alias.createdAt),
  };
}
