import { AliasResponse, CreateAliasBody } from '../aliases/aliases-dto.js';
import { CreateDomainBody, DomainResponse } from '../domains/domains-dto.js';
import { Bool, Integer, ListOfSeparate, Nested, ProblemDetails } from '../http/fields.js';
import { CreateMailboxBody, MailboxResponse } from '../mailboxes/mailboxes-dto.js';
import { CreateSuppressionBody, SuppressionResponse } from '../suppressions/suppressions-dto.js';

const ITEMS = { min: 1, max: 500, description: 'What to create, at most 500; a wrong item fails alone' };

/** A body with items that are checked one by one. */
export interface ItemsBody {
  items: unknown[];
}

export class CreateDomainsBody implements ItemsBody {
  @ListOfSeparate(CreateDomainBody, ITEMS) items!: unknown[];
}

export class CreateMailboxesBody implements ItemsBody {
  @ListOfSeparate(CreateMailboxBody, ITEMS) items!: unknown[];
}

export class CreateAliasesBody implements ItemsBody {
  @ListOfSeparate(CreateAliasBody, ITEMS) items!: unknown[];
}

export class CreateSuppressionsBody implements ItemsBody {
  @ListOfSeparate(CreateSuppressionBody, ITEMS) items!: unknown[];
}

/** The outcome of one item, with a `body` or a `problem`. */
export class ItemResponse {
  @Integer({ min: 200, max: 503, description: 'The status that the item alone would have had', example: 201 })
  status!: number;
  @Bool({
    optional: true,
    description: 'True when an earlier request with this `Idempotency-Key` created it',
  })
  replayed?: true;
  @ProblemDetails({ optional: true, description: 'Why the item failed' }) problem?: Record<string, unknown>;
}

export class DomainItemResponse extends ItemResponse {
  @Nested(DomainResponse, { optional: true, description: 'The domain that was created' }) body?: DomainResponse;
}

export class MailboxItemResponse extends ItemResponse {
  @Nested(MailboxResponse, { optional: true, description: 'The mailbox that was created' }) body?: MailboxResponse;
}

export class AliasItemResponse extends ItemResponse {
  @Nested(AliasResponse, { optional: true, description: 'The alias that was created' }) body?: AliasResponse;
}

export class SuppressionItemResponse extends ItemResponse {
  @Nested(SuppressionResponse, { optional: true, description: 'The suppression, which may have existed' })
  body?: SuppressionResponse;
}
