import { needs } from '@mailstead/core/needs';
import type { PartnerRef } from '@mailstead/core/partners/partner';
import { type UsageChunk, type UsageQuery, UsageReport, type UsageRow } from '@mailstead/core/usage/usage-report';
import { Database, type Row, textOrNull } from '../driver/database.js';
import { Filter } from '../driver/filter.js';
import { TOTALS } from './usage-totals.js';

/*
 * Plain SQL: the database adds up the days. It sorts the rows of the names of one chunk only, because the statements
 * read a range of an index.
 */
const DAYS = `u.name, u.plan, p.ref, ${Object.entries(TOTALS)
  .map(([column, sum]) => `${sum} AS ${column}`)
  .join(', ')}`;
const SUMS = `u.name, u.plan, p.ref, u.position, ${Object.keys(TOTALS)
  .map((column) => `u.${column}`)
  .join(', ')}`;

/** How far a report was read: to a row of `usage_month`, and after it to a name of `usage_day`. */
interface Place {
  position: number;
  name: string;
}

/** A part of a report, with the place of its end; null when nothing follows. */
interface Part {
  rows: Row[];
  end: Place | null;
}

@needs(Database)
export class SqlUsageReport extends UsageReport {
  constructor(private readonly database: Database) {
    super();
  }

  /**
   * The names of a month that have no days any more come before the others. The days are read first: when nothing was
   * summed after this place by then, none of them was missing.
   */
  override async read(query: UsageQuery, after: string, limit: number): Promise<UsageChunk> {
    const place = placeOf(after);
    const days = await this.days(query, place, limit);
    const months = await this.months(query, place, limit, days === null);
    const { rows, end } = months.rows.length > 0 || days === null ? months : days;
    return { rows: rows.map(toUsage), next: end === null ? null : `${end.position} ${end.name}` };
  }

  /** @returns null when no name has days */
  private async days(query: UsageQuery, { position, name }: Place, limit: number): Promise<Part | null> {
    const names = await this.names(query, name, limit);
    const last = names.at(-1);
    if (last === undefined) return null;
    const { sql, parameters } = filterOf(query, name).and('u.name <= ?', last);
    const rows = await this.database.read(
      `SELECT ${DAYS} FROM ${this.tableFor(query)} JOIN partner p ON p.id = u.partner_id WHERE ${sql}
        GROUP BY u.name, u.partner_id, p.ref, u.plan ORDER BY u.name, u.partner_id, u.plan`,
      parameters,
    );
    return { rows, end: names.length < limit ? null : { position, name: last } };
  }

  private async names(query: UsageQuery, after: string, limit: number): Promise<string[]> {
    const { sql, parameters } = filterOf(query, after);
    const rows = await this.database.read(
      `SELECT DISTINCT u.name FROM ${this.tableFor(query)} WHERE ${sql} ORDER BY u.name LIMIT ?`,
      [...parameters, limit],
    );
    return rows.map(({ name }) => String(name));
  }

  /** @param isAll no name has days */
  private async months(
    { period, partnerId }: UsageQuery,
    { position, name }: Place,
    limit: number,
    isAll: boolean,
  ): Promise<Part> {
    if ('day' in period) return { rows: [], end: null };
    const { dialect } = this.database;
    const { sql, parameters } = new Filter('u.month = ?', period.month)
      .and('u.position > ?', position)
      .and('u.name > ?', name)
      .and('u.partner_id = ?', partnerId ?? undefined);
    const index = dialect.byIndex(partnerId === null ? 'PRIMARY' : 'ix_usage_month_partner');
    const rows = await this.database.read(
      `SELECT ${SUMS} FROM usage_month u${index} JOIN partner p ON p.id = u.partner_id WHERE ${sql}
        ORDER BY u.position LIMIT ?`,
      [...parameters, limit],
    );
    const isEnd = isAll && rows.length < limit;
    // No name: the rest of a name that has several rows may follow.
    return { rows, end: isEnd ? null : { position: Number(rows.at(-1)?.position ?? 0), name: '' } };
  }

  private tableFor({ period, partnerId }: UsageQuery): string {
    const { dialect } = this.database;
    if ('day' in period) return `usage_day u${dialect.byIndex('ix_usage_day_day')}`;
    return `usage_day u${partnerId === null ? '' : dialect.byIndex('ix_usage_day_partner')}`;
  }
}

/** @param after empty at the beginning */
function placeOf(after: string): Place {
  const [position = '', name = ''] = after.split(' ');
  return { position: Number(position), name };
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
    bytesIn: Math.min(Number(row.bytes_in), Number(row.bytes)),
    bounces: Number(row.bounces),
  };
}

function refOf(ref: unknown): string | null {
  return ref === '' ? null : String(ref);
}

function numberOrNull(value: unknown): number | null {
  return value === null ? null : Number(value);
}
