import type { AuditRow } from '@mailstead/core/audit/audit-log';
import { InputTime, Integer, Json, Text, Time } from '../http/fields.js';
import { OrderedPageQuery } from '../http/paging.js';
import { anyPartnerRef, domainName, matching } from '../http/text-rules.js';
import { timestamp } from '../http/timestamp.js';

export class AuditQuery extends OrderedPageQuery {
  @Text({
    max: 128,
    rule: anyPartnerRef,
    optional: true,
    description: 'Only changes of this partner',
    example: 'acme',
  })
  partner_ref?: string;

  @Text({
    max: 1_000,
    rule: domainName,
    optional: true,
    description: 'Only changes of this domain and of its mailboxes and aliases',
    example: 'example.com',
  })
  domain?: string;

  @Text({
    max: 128,
    // Actors are stored in ASCII. MariaDB cannot compare such a column with other characters.
    rule: matching(/^[\x21-\x7e]{1,128}$/, "must be an operator's name, or key:<id>"),
    optional: true,
    description: "Only changes by this caller: an operator's name, or key:<id>",
  })
  actor?: string;

  @Text({
    max: 64,
    // Also an action of a later release, which no row has.
    rule: matching(/^[a-z_]{1,32}\.[a-z_]{1,31}$/, 'must be an action like domain.create'),
    optional: true,
    description: 'Only changes with this action',
    example: 'domain.create',
  })
  action?: string;

  @Text({ max: 320, optional: true, description: 'Only changes of the object with exactly this name' })
  subject?: string;

  @InputTime({ optional: true, description: 'Only changes from this moment on' })
  since?: Date;

  @InputTime({ optional: true, description: 'Only changes before this moment' })
  until?: Date;
}

export class AuditResponse {
  @Integer({ min: 1, description: 'The id of the row', example: 1 }) id!: number;
  @Time({ description: 'When the change was made' }) at!: string;
  @Text({ description: 'Who made the change: master, operator, client or system', example: 'client' })
  actor_kind!: string;
  @Text({ description: "The operator's name, `key:` and the id of the key, or the job", example: 'key:1' })
  actor!: string;
  @Text({ description: 'What was done, such as `domain.create`', example: 'domain.create' }) action!: string;
  @Text({ nullable: true, description: 'The partner whose resource changed; null without a partner', example: 'acme' })
  partner_ref!: string | null;
  @Text({ description: 'The name of what changed: a domain, an address, a key', example: 'example.com' })
  subject!: string;
  @Json({ nullable: true, description: 'The values before the change; null when there were none', example: null })
  before!: Record<string, unknown> | null;
  @Json({ nullable: true, description: 'The values after the change; null when there are none' }) after!: Record<
    string,
    unknown
  > | null;
  @Text({
    nullable: true,
    description: 'The `X-Request-Id` of the request; null for a change without a request',
    example: '0f4f7a4e-3d0b-4d0c-9d8e-2f1c6c1b7a55',
  })
  request_id!: string | null;
  @Text({
    nullable: true,
    description: "The service's own id of the request; null in rows that a job wrote",
    example: '5f6b1c1e-8f43-4a0c-9f0c-2a7d5b8d3c11',
  })
  request_uid!: string | null;
}

export function presentAuditRow(row: AuditRow): AuditResponse {
  return {
    id: row.id,
    at: timestamp(row.at),
    actor_kind: row.actorKind,
    actor: row.actor,
    action: row.action,
    partner_ref: row.partnerRef,
    subject: row.subject,
    before: row.before,
    after: row.after,
    request_id: row.requestId,
    request_uid: row.requestUid,
  };
}
