import type { Alias } from '@mailstead/core/aliases/alias';
import type { DeletedItem } from '@mailstead/core/restoration/deleted-item';
import { DomainDetailsResponse } from '../domains/domains-dto.js';
import { eitherOf } from '../http/fields/field-notes.js';
import { Enum, Integer, ListOf, Text, Time } from '../http/fields.js';
import { PartnerFilterQuery } from '../http/paging.js';
import { domainName } from '../http/text-rules.js';
import { timestamp } from '../http/timestamp.js';
import { MailboxResponse } from '../mailboxes/mailboxes-dto.js';

export class DeletedQuery extends PartnerFilterQuery {
  @Text({
    max: 1_000,
    rule: domainName,
    optional: true,
    description: 'Only the domain of this name, and mailboxes of it',
    example: 'example.com',
  })
  domain?: string;
}

export class DeletedResponse {
  @Integer({ min: 1, description: 'The id of the deletion', example: 1 }) id!: number;
  @Enum(['domain', 'mailbox'], { description: 'What was deleted' }) kind!: string;
  @Text({ description: 'The domain name, or the address of the mailbox', example: 'example.com' }) name!: string;
  @Time({ description: 'When it was deleted' }) deleted_at!: string;
  @Time({ description: 'Until when it can be restored' }) expires_at!: string;
  @Integer({ description: 'Number of mailboxes that come back', example: 1 }) mailboxes!: number;
  @Integer({ description: 'Number of aliases that were deleted with it', example: 1 }) aliases!: number;
}

export class LeftOutResponse {
  @Text({ description: 'The address of the alias', example: 'sales@example.com' }) address!: string;
  @Text({ description: 'Its destination', example: 'info@example.com' }) destination!: string;
}

const LEFT_OUT = {
  description: 'The aliases that did not come back: their other end is gone, or their address is a mailbox now',
};

class RestoredDomainResponse extends DomainDetailsResponse {
  @ListOf(LeftOutResponse, LEFT_OUT) left_out!: LeftOutResponse[];
}

class RestoredMailboxResponse extends MailboxResponse {
  @ListOf(LeftOutResponse, LEFT_OUT) left_out!: LeftOutResponse[];
}

/** The record of the restored domain or mailbox, and the aliases that were left out. */
export class RestoredResponse {
  @ListOf(LeftOutResponse, LEFT_OUT) left_out!: LeftOutResponse[];
}
eitherOf(RestoredResponse, [RestoredDomainResponse, RestoredMailboxResponse]);

export function presentDeleted({
  id,
  kind,
  name,
  deletedAt,
  expiresAt,
  mailboxes,
  aliases,
}: DeletedItem): DeletedResponse {
  return {
    id,
    kind,
    name,
    deleted_at: timestamp(deletedAt),
    expires_at: timestamp(expiresAt),
    mailboxes,
    aliases,
  };
}

export function presentLeftOut({ address, destination }: Alias): LeftOutResponse {
  return { address, destination };
}
