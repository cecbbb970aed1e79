import type { AuditRow } from '@mailstead/core/audit/audit-log';
import { Integer, Json, Text, Time } from '../http/fields.js';
import { PageQuery } from '../http/paging.js';
import { timestamp } from '../http/timestamp.js';

export class AuditQuery extends PageQuery {
  @Text({ max: 128, optional: true })
  partner_ref?: string;

  @Text({ max: 1_000, optional: true })
  domain?: string;

  @Text({ max: 128, optional: true, description: "Only changes by this caller: an operator's name, or key:<id>" })
  actor?: string;
}

export class AuditResponse {
  @Integer({ min: 1 }) id!: number;
  @Time() at!: string;
  @Text() actor_kind!: string;
  @Text() actor!: string;
  @Text() action!: string;
  @Text({ nullable: true }) partner_ref!: string | null;
  @Text() subject!: string;
  @Json({ nullable: true }) before!: Record<string, unknown> | null;
  @Json({ nullable: true }) after!: Record<string, unknown> | null;
  @Text({ nullable: true }) request_id!: string | null;
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
    before: row.before ?? null,
    after: row.after ?? null,
    request_id: row.requestId,
  };
}
