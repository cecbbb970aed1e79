import type { AuditAction } from '@mailstead/core/audit/event-types';
import { needs } from '@mailstead/core/needs';
import {
  type RecordedDomain,
  STOP_RECORD_ROWS,
  type StopChange,
  type StoppedDomains,
  type StopRecord,
  StopRecords,
} from '@mailstead/core/outbound/stop-records';
import { AuditRecord } from '../audit/audit-log.js';
import { Database, type Parameter, placeholders, type Row, type Statement } from '../driver/database.js';
import { Table } from '../driver/table.js';
import { suspensionsTransformer } from '../partners/partner-suspensions-column.js';
import { stopMessagesTransformer } from '../partners/stop-messages-column.js';
import { dateOrNull } from './ledger-snapshot.js';

/** The changes that begin or end what stops a domain. */
const OF_DOMAIN: AuditAction[] = [
  'domain.suspend',
  'domain.activate',
  'domain.configure_outbound',
  'domain.outbound_block',
  'domain.limit_reached',
];
const CAP_SCOPE: Statement = {
  sql: "SELECT value FROM installation WHERE name = 'transfer_cap_scope'",
  parameters: [],
};
const OF_PARTNER: AuditAction[] = ['partner.suspend', 'partner.activate'];

/** Plain SQL: one round trip. The indexes have no action, so the rows that are looked at are bounded. */
@needs(Database)
export class SqlStopRecords extends StopRecords {
  private readonly table: Table<AuditRecord>;

  constructor(private readonly database: Database) {
    super();
    this.table = new Table(database, AuditRecord);
  }

  override async read({ suspendedPartner, domains }: StoppedDomains): Promise<StopRecord> {
    const [states = [], scope = [], ...changes] = await this.database.readTogether([
      statesOf(domains.map(({ id }) => id)),
      CAP_SCOPE,
      suspendedPartner === null ? null : this.newest('partner_ref', 'ix_audit_partner', suspendedPartner, OF_PARTNER),
      ...domains.map(({ name }) => this.newest('domain', 'ix_audit_domain', name, OF_DOMAIN)),
    ]);
    return {
      domains: new Map(states.map((row) => [Number(row.id), toRecorded(row)])),
      suspensions: suspensionsTransformer.from(states[0]?.suspensions),
      messages: stopMessagesTransformer.from(states[0]?.messages_of_partner),
      capDefersIncoming: isOfBoth(scope),
      changes: changes.flat().map((row): StopChange => this.table.hydrate(row, 'l')),
    };
  }

  override async capDefersIncoming(): Promise<boolean> {
    return isOfBoth(await this.database.read(CAP_SCOPE.sql, []));
  }

  private newest(column: string, index: string, value: Parameter, actions: readonly AuditAction[]): Statement {
    return {
      sql: `SELECT ${this.table.columns('l')} FROM audit_log l
             WHERE l.id IN (SELECT n.id FROM
                     (SELECT id, action FROM audit_log${this.database.dialect.byIndex(index)}
                       WHERE ${column} = ? ORDER BY id DESC LIMIT ${STOP_RECORD_ROWS}) n
                     WHERE n.action IN (${placeholders(actions)}))
             ORDER BY l.id DESC`,
      parameters: [value, ...actions],
    };
  }
}

function isOfBoth(scope: readonly Row[]): boolean {
  return scope[0]?.value === 'both';
}

/** A domain and its parent have the same partner. */
function statesOf(ids: readonly number[]): Statement {
  return {
    sql: `SELECT d.id, d.blocked_reason, d.blocked_at, d.bounce_window_start, d.created_at, d.stop_messages,
                 v.verified_at, p.suspensions, p.stop_messages AS messages_of_partner
            FROM domain d JOIN verification v ON v.domain_id = d.id JOIN partner p ON p.id = d.partner_id
           WHERE d.id IN (${placeholders(ids)})`,
    parameters: [...ids],
  };
}

function toRecorded(row: Row): RecordedDomain {
  return {
    blockedReason: row.blocked_reason as RecordedDomain['blockedReason'],
    blockedAt: dateOrNull(row.blocked_at),
    bounceWindowStart: dateOrNull(row.bounce_window_start),
    messages: stopMessagesTransformer.from(row.stop_messages),
    createdAt: new Date(Number(row.created_at)),
    verifiedAt: dateOrNull(row.verified_at),
  };
}
