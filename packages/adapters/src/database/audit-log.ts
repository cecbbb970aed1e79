import { type AuditEntry, type AuditFilter, AuditLog, type AuditRow } from '@mailstead/core/audit/audit-log';
import { type Actor, actorName } from '@mailstead/core/operators/actor';
import { EntitySchema } from 'typeorm';
import type { ColumnsOf } from './driver/columns-of.js';
import type { Database } from './driver/database.js';
import { Columns, type Dialect } from './driver/dialect.js';
import { Table } from './driver/table.js';

/** The stored form of an audit row. */
class AuditRecord {
  id!: number;
  at!: Date;
  actorKind!: Actor['kind'];
  actor!: string;
  action!: string;
  partnerRef!: string | null;
  domain!: string | null;
  subject!: string;
  before!: object | null;
  after!: object | null;
  requestId!: string | null;
}

export function auditSchema(dialect: Dialect): EntitySchema<AuditRecord> {
  const columns = new Columns(dialect);
  return new EntitySchema<AuditRecord>({
    name: 'AuditRecord',
    target: AuditRecord,
    tableName: 'audit_log',
    columns: {
      id: columns.id(),
      at: columns.time({ name: 'changed_at' }),
      actorKind: columns.exact(16, { name: 'actor_kind' }),
      actor: columns.exact(128),
      action: columns.exact(64),
      partnerRef: columns.exact(128, { name: 'partner_ref', nullable: true }),
      domain: columns.name(253, { nullable: true }),
      subject: columns.text(255),
      before: columns.json({ name: 'value_before', nullable: true }),
      after: columns.json({ name: 'value_after', nullable: true }),
      requestId: columns.exact(128, { name: 'request_id', nullable: true }),
    } satisfies ColumnsOf<AuditRecord>,
    indices: [
      { name: 'ix_audit_partner', columns: ['partnerRef', 'id'] },
      { name: 'ix_audit_domain', columns: ['domain', 'id'] },
      { name: 'ix_audit_actor', columns: ['actor', 'id'] },
    ],
  });
}

export class TypeormAuditLog extends AuditLog {
  private readonly table: Table<AuditRecord>;

  constructor(private readonly database: Database) {
    super();
    this.table = new Table(database, AuditRecord);
  }

  override async append(actor: Actor, at: Date, entry: AuditEntry): Promise<void> {
    const { kind, requestId } = actor;
    // Part of every change, so that it is inserted without TypeORM's query builder (decision 0003).
    const row = { at, actorKind: kind, actor: actorName(actor), requestId, ...entry };
    await this.table.insert(Object.assign(new AuditRecord(), row));
  }

  override async page(filter: AuditFilter, { after, limit }: { after: number; limit: number }): Promise<AuditRow[]> {
    const { partnerRef, domain, actor } = filter;
    const rows = this.database.manager.createQueryBuilder(AuditRecord, 'l').where('l.id > :after', { after });
    if (partnerRef !== undefined) rows.andWhere('l.partnerRef = :partnerRef', { partnerRef });
    if (domain !== undefined) rows.andWhere('l.domain = :domain', { domain });
    if (actor !== undefined) rows.andWhere('l.actor = :actor', { actor });
    return (await rows.orderBy('l.id').limit(limit).getMany()) as AuditRow[];
  }
}
