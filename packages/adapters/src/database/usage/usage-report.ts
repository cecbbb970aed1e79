import { needs } from '@mailstead/core/needs';
import type { PartnerRef } from '@mailstead/core/partners/partner';
import { type UsageChunk, type UsageQuery, UsageReport, type UsageRow } from '@mailstead/core/usage/usage-report';
import { Database, type Row, textOrNull } from '../driver/database.js';
import { Filter } from '../driver/filter.js';

/** The length of `YYYY-MM-DD`. */
const DAY_LENGTH = 10;

/*
 * Plain SQL: the database adds up the days. It sorts the rows of the names of one chunk only, because both statements
 * read a range of an index.
 */
const TOTALS = `u.name, u.plan, p.ref, MIN(u.day) AS first_day, MAX(u.day) AS last_day, SUM(u.held) AS days,
  MAX(u.mailboxes) AS mailboxes_max, SUM(u.mailboxes) AS mailbox_days,
  MAX(u.storage_mb) AS storage_mb_max, SUM(u.storage_mb) AS storage_mb_days,
  SUM(u.sent) AS sent, SUM(u.bytes) AS bytes, SUM(u.bounces) AS bounces,
  MAX(CONCAT(u.day, COALESCE(u.external_ref, ''))) AS external_ref,
  MAX(CONCAT(u.day, COALESCE(u.billing_ref, ''))) AS billing_ref`;

@needs(Database)
export class SqlUsageReport extends UsageReport {
  constructor(private readonly database: Database) {
    super();
  }

  override async read(query: UsageQuery, after: string, names: number): Promise<UsageChunk> {
    const found = await this.names(query, after, names);
    const last = found.at(-1);
    if (last === undefined) return { rows: [], next: null };
    const { sql, parameters } = filterOf(query, after).and('u.name <= ?', last);
    const rows = await this.database.read(
      `SELECT ${TOTALS} FROM ${this.tableFor(query)} JOIN partner p ON p.id = u.partner_id WHERE ${sql}
        GROUP BY u.name, u.partner_id, p.ref, u.plan ORDER BY u.name, u.partner_id, u.plan`,
      parameters,
    );
    return { rows: rows.map(toUsage), next: found.length < names ? null : last };
  }

  private async names(query: UsageQuery, after: string, limit: number): Promise<string[]> {
    const { sql, parameters } = filterOf(query, after);
    const rows = await this.database.read(
      `SELECT DISTINCT u.name FROM ${this.tableFor(query)} WHERE ${sql} ORDER BY u.name LIMIT ?`,
      [...parameters, limit],
    );
    return rows.map(({ name }) => String(name));
  }

  private tableFor({ period, partnerId }: UsageQuery): string {
    const { dialect } = this.database;
    if ('day' in period) return `usage_day u${dialect.byIndex('ix_usage_day_day')}`;
    return `usage_day u${partnerId === null ? '' : dialect.byIndex('ix_usage_day_partner')}`;
  }
}

function filterOf({ period, partnerId }: UsageQuery, after: string): Filter {
  const filter = 'day' in period ? new Filter('u.day = ?', period.day) : new Filter('u.month = ?', period.month);
  return filter.and('u.partner_id = ?', partnerId ?? undefined).and('u.name > ?', after);
}

function toUsage(row: Row): UsageRow {
  return {
    partnerRef: row.ref === '' ? null : (row.ref as PartnerRef),
    domain: String(row.name),
    externalRef: refOf(row.external_ref),
    billingRef: refOf(row.billing_ref),
    plan: textOrNull(row.plan),
    from: String(row.first_day),
    to: String(row.last_day),
    days: Number(row.days),
    mailboxesMax: Number(row.mailboxes_max),
    mailboxDays: Number(row.mailbox_days),
    storageMbMax: numberOrNull(row.storage_mb_max),
    storageMbDays: numberOrNull(row.storage_mb_days),
    sent: Number(row.sent),
    bytes: Number(row.bytes),
    bounces: Number(row.bounces),
  };
}

/** A reference with the day before it. The empty one means none. */
function refOf(dated: unknown): string | null {
  const ref = String(dated).slice(DAY_LENGTH);
  return ref === '' ? null : ref;
}

function numberOrNull(value: unknown): number | null {
  return value === null ? null : Number(value);
}
