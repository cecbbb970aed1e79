import { type AuditEntry, type AuditFilter, AuditLog, type AuditRow } from '@mailstead/core/audit/audit-log';
import { type Actor, actorName } from '@mailstead/core/operators/actor';
import { EntitySchema } from 'typeorm';
import type { Database } from './driver/database.js';
import { Columns, type Dialect } from './driver/dialect.js';
import { Filter } from './driver/filter.js';
import { Table } from './driver/table.js';

/** The stored form of an audit row. */
class AuditRecord implements AuditRow {
  id!: number;
  at!: Date;
  actorKind!: Actor['kind'];
  actor!: string;
  action!: string;
  partnerRef!: AuditRow['partnerRef'];
  domain!: string | null;
  subject!: string;
  before!: Record<string, unknown> | undefined;
  after!: Record<string, unknown> | undefined;
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
    },
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
    const record = Object.assign(new AuditRecord(), {
      at,
      actorKind: actor.kind,
      actor: actorName(actor),
      requestId: actor.requestId,
      ...entry,
    });
    await this.table.insert(record);
  }

  override async page(filter: AuditFilter, page: { after: number; limit: number }): Promise<AuditRow[]> {
    const conditions = new Filter('l.id > ?', page.after)
      .and('l.partner_ref = ?', filter.partnerRef)
      .and('l.domain = ?', filter.domain)
      .and('l.actor = ?', filter.actor);
    const rows = await this.database.read(
      `SELECT ${this.table.columns('l')} FROM audit_log l WHERE ${conditions.sql} ORDER BY l.id LIMIT ?`,
      [...conditions.parameters, page.limit],
    );
    return rows.map((row) => this.table.hydrate(row, 'l'));
  }
}
