import { EVENT_TYPES, type EventType } from '@mailstead/core/audit/event-types';
import type { FeedFilter } from '@mailstead/core/events/event-feed';
import { type Actor, scopeOf } from '@mailstead/core/operators/actor';
import { ORDERS, type Order } from '@mailstead/core/page';
import { Enum, Integer, Json, QueryInteger, Text, Time } from '../http/fields.js';
import { MAX_PAGE_ROWS, type OrderedPageQuery } from '../http/paging.js';
import { domainNameField, partnerRefQuery } from '../http/parse.js';
import { anyPartnerRef, domainName, listOf } from '../http/text-rules.js';

export class EventStreamQuery {
  @QueryInteger({
    min: 0,
    max: Number.MAX_SAFE_INTEGER,
    optional: true,
    description: 'Only events after this position',
  })
  after?: number;

  @Text({
    max: 1_000,
    rule: listOf(EVENT_TYPES),
    optional: true,
    description: 'Only events of these types, separated by commas',
    example: 'domain.created,domain.verified',
  })
  types?: string;

  @Text({
    max: 1_000,
    rule: domainName,
    optional: true,
    description: 'Only events of this domain and of its mailboxes, aliases and messages',
    example: 'example.com',
  })
  domain?: string;

  @Text({
    max: 128,
    rule: anyPartnerRef,
    optional: true,
    description: 'Only events of this partner (master and read)',
    example: 'acme',
  })
  partner_ref?: string;
}

export class EventsQuery extends EventStreamQuery implements OrderedPageQuery {
  @QueryInteger({
    min: 1,
    max: MAX_PAGE_ROWS,
    optional: true,
    description: 'Rows per page; without it the list is complete',
  })
  limit?: number;

  @Enum(ORDERS, { optional: true, description: '`desc`: newest first; `after` then asks for smaller positions' })
  order?: Order;
}

/** @throws AppError validation_failed */
export function filterOf(actor: Actor, { types, domain, partner_ref }: EventStreamQuery): FeedFilter {
  return {
    scope: scopeOf(actor),
    types: types === undefined ? undefined : typesOf(types),
    domain: domain === undefined ? undefined : domainNameField('domain', domain),
    partnerRef: partner_ref === undefined ? undefined : partnerRefQuery('partner_ref', partner_ref),
  };
}

function typesOf(text: string): EventType[] {
  const named = text.split(',');
  return EVENT_TYPES.filter((type) => named.includes(type));
}

export class EventResponse {
  @Integer({ min: 1, description: 'The position of the event; it only grows', example: 1 }) id!: number;
  @Enum(EVENT_TYPES, { description: 'What happened', example: 'domain.created' }) type!: EventType;
  @Time({ description: 'When it happened' }) at!: string;
  @Text({ nullable: true, description: 'The partner at that time; null without a partner', example: 'acme' })
  partner_ref!: string | null;
  @Text({
    nullable: true,
    description: 'The name of the domain; null when it is not about one',
    example: 'example.com',
  })
  domain!: string | null;
  @Text({ description: 'The name of what changed: a domain, an address, a key', example: 'example.com' })
  subject!: string;
  @Enum(['master', 'operator', 'client', 'system'], {
    description: 'Who did it. Clients see every operator as `operator`',
    example: 'client',
  })
  actor_kind!: string;
  @Text({
    description: "`key:` or `link:` and the id, the job, or the operator's name, which clients see as `operator`",
    example: 'key:1',
  })
  actor!: string;
  @Json({ description: 'The values before and after a change, or the facts of what happened' }) data!: Record<
    string,
    unknown
  >;
}
