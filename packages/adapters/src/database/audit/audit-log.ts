import { type AuditEntry, type AuditFilter, AuditLog, type AuditRow } from '@mailstead/core/audit/audit-log';
import { type AuditAction, EVENT_OF_ACTION, EVENTS_ONLY, type EventType } from '@mailstead/core/audit/event-types';
import { needs } from '@mailstead/core/needs';
import { type Actor, actorName } from '@mailstead/core/operators/actor';
import type { PartnerRef } from '@mailstead/core/partners/partner';
import type { Search } from '@mailstead/core/search';
import { EntitySchema } from 'typeorm';
import type { ColumnsOf } from '../driver/columns-of.js';
import { Database, placeholders } from '../driver/database.js';
import { Columns, type Dialect } from '../driver/dialect.js';
import { Filter } from '../driver/filter.js';
import { Table } from '../driver/table.js';
import { AppendedEvents } from '../events/appended-events.js';
import { condition, equalCondition, given } from '../finding/conditions.js';
import { searchOf } from '../finding/id-search.js';
import type { SearchPlan } from '../finding/search-plan.js';

/** The stored form of an audit row. */
export class AuditRecord {
  id!: number;
  at!: Date;
  actorKind!: Actor['kind'];
  actor!: string;
  action!: AuditAction;
  partnerRef!: PartnerRef | null;
  domain!: string | null;
  subject!: string;
  before!: Record<string, unknown> | null;
  after!: Record<string, unknown> | null;
  requestId!: string | null;
  requestUid!: string | null;
  /** Null: no event, or a row of the former release. */
  eventType!: EventType | null;
  partnerId!: number | null;
  domainId!: number | null;
  /** Null until the event gets its position after the commit. */
  position!: number | null;
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
      requestUid: columns.exact(36, { name: 'request_uid', nullable: true }),
      eventType: columns.exact(64, { name: 'event_type', nullable: true }),
      partnerId: columns.ref({ name: 'partner_id', nullable: true }),
      domainId: columns.ref({ name: 'domain_id', nullable: true }),
      position: columns.big({ nullable: true }),
    } satisfies ColumnsOf<AuditRecord>,
    indices: [
      { name: 'ix_audit_partner', columns: ['partnerRef', 'id'] },
      { name: 'ix_audit_domain', columns: ['domain', 'id'] },
      { name: 'ix_audit_actor', columns: ['actor', 'id'] },
      // Also finds the rows without a position, by their ids.
      { name: 'ix_audit_position', columns: ['position'], unique: true },
      { name: 'ix_audit_partner_position', columns: ['partnerId', 'position'] },
      { name: 'ix_audit_domain_position', columns: ['domain', 'position'] },
    ],
  });
}

@needs(Database, AppendedEvents)
export class SqlAuditLog extends AuditLog {
  private readonly table: Table<AuditRecord>;

  constructor(
    private readonly database: Database,
    private readonly appended: AppendedEvents = new AppendedEvents(),
  ) {
    super();
    this.table = new Table(database, AuditRecord);
  }

  override async append(actor: Actor, at: Date, entry: AuditEntry): Promise<void> {
    // Part of every change, so that it is inserted without TypeORM's query builder (decision 0003).
    await this.table.insert(recordOf(actor, at, entry));
    this.noteAfterCommit();
  }

  override async appendAll(actor: Actor, at: Date, entries: readonly AuditEntry[]): Promise<void> {
    if (entries.length === 0) return;
    await this.table.insertAll(entries.map((entry) => recordOf(actor, at, entry)));
    this.noteAfterCommit();
  }

  private noteAfterCommit(): void {
    const note = () => this.appended.note();
    const transaction = this.database.currentTransaction();
    if (transaction === undefined) note();
    else transaction.effects.push(note);
  }

  override search(filter: AuditFilter): Search<AuditRow> {
    return searchOf(
      async () => this.plan(filter),
      this.database,
      async (ids, at) => {
        const rows = await this.database.read(
          `SELECT ${this.table.columns('l')} FROM audit_log l
           WHERE l.id IN (${placeholders(ids)}) ORDER BY ${Filter.orderOf('l.id', at)}`,
          ids,
        );
        return rows.map((row) => this.table.hydrate(row, 'l'));
      },
    );
  }

  private plan({ partnerRef, domain, actor, action, subjects, since, until }: AuditFilter): SearchPlan {
    const { dialect } = this.database;
    // The first index has the fewest rows.
    const equalities = given([
      ['l.domain', domain, 'ix_audit_domain'],
      ['l.actor', actor, 'ix_audit_actor'],
      ['l.partner_ref', partnerRef, 'ix_audit_partner'],
      ['l.action', action, null],
    ]);
    const conditions = [
      condition(`l.action NOT IN (${placeholders(EVENTS_ONLY)})`, ...EVENTS_ONLY),
      ...equalities.map(equalCondition),
      ...(subjects === undefined ? [] : [condition(`l.subject IN (${placeholders(subjects)})`, ...subjects)]),
      ...(since === undefined ? [] : [condition('l.changed_at >= ?', since.getTime())]),
      ...(until === undefined ? [] : [condition('l.changed_at < ?', until.getTime())]),
    ];
    const [indexed] = equalities.filter(({ index }) => index !== null);
    const walk = {
      from: `audit_log l${dialect.byIndex(indexed?.index ?? 'PRIMARY')}`,
      id: 'l.id',
      conditions: indexed === undefined ? [] : [equalCondition(indexed)],
    };
    const from = `audit_log l${dialect.byPrimaryKey}`;
    return { from, id: 'l.id', conditions, narrow: [], walk: [walk], isWalkComplete: false };
  }

  /**
   * Rows are stored in the order of time, so the primary key finds the oldest, and every change needs one index less.
   */
  override async deleteOld(before: Date, limit: number): Promise<number> {
    const [oldest] = await this.database.read(
      'SELECT MAX(id) AS last FROM (SELECT id FROM audit_log ORDER BY id LIMIT ?) AS oldest',
      [limit],
    );
    // Not a row that is in the feed or waits for its position: `EventFeed.dropOld` comes first.
    const { affected } = await this.database.write(
      `DELETE FROM audit_log WHERE id <= ? AND changed_at < ?
       AND (position < (SELECT first_kept FROM event_position WHERE id = 1)
         OR id <= (SELECT before_audit_id FROM event_position WHERE id = 1))`,
      [Number(oldest?.last ?? 0), before.getTime()],
    );
    return affected;
  }
}

function recordOf(actor: Actor, at: Date, entry: AuditEntry): AuditRecord {
  const { kind, requestId, requestUid = null } = actor;
  const { type, ...stored } = entry;
  return Object.assign(new AuditRecord(), {
    at,
    actorKind: kind,
    actor: actorName(actor),
    requestId,
    requestUid,
    eventType: type ?? EVENT_OF_ACTION[entry.action],
    position: null,
    ...stored,
  });
}
