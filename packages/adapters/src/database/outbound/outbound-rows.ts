import { hash } from 'node:crypto';
import { type ClosedPeriod, OutboundCounter } from '@mailstead/core/outbound/outbound-counter';
import type { OutboundEpochs } from '@mailstead/core/outbound/outbound-period';
import { OUTBOUND_TIERS, type OutboundTier, type TierLimits } from '@mailstead/core/outbound/outbound-settings';
import type { Database, Parameter, Row, Statement } from '../driver/database.js';

/** The columns of `outbound_counter`, in the order of `counterValues`. */
const COUNTER_COLUMNS = [
  'domain_id',
  'day',
  'day_epoch',
  'sent_today',
  'forwarded_today',
  'month',
  'month_epoch',
  'period_start',
  'sent_month',
  'bytes_month',
  'bounces_month',
  'complaints_month',
];

export const COUNTER_SELECT = COUNTER_COLUMNS.join(', ');

export function toCounter(row: Row): OutboundCounter {
  return OutboundCounter.of({
    domainId: Number(row.domain_id),
    day: row.day as string,
    dayEpoch: Number(row.day_epoch),
    sentToday: Number(row.sent_today),
    forwardedToday: Number(row.forwarded_today),
    month: row.month as string,
    monthEpoch: Number(row.month_epoch),
    periodStart: new Date(Number(row.period_start)),
    sentMonth: Number(row.sent_month),
    bytesMonth: Number(row.bytes_month),
    bouncesMonth: Number(row.bounces_month),
    complaintsMonth: Number(row.complaints_month),
  });
}

function counterValues(counter: OutboundCounter): Parameter[] {
  return [
    counter.domainId,
    counter.day,
    counter.dayEpoch,
    counter.sentToday,
    counter.forwardedToday,
    counter.month,
    counter.monthEpoch,
    counter.periodStart.getTime(),
    counter.sentMonth,
    counter.bytesMonth,
    counter.bouncesMonth,
    counter.complaintsMonth,
  ];
}

/** Writes rows that may exist: one statement, the last value of each row wins unless `update` says otherwise. Null: no rows. */
export function upsert(
  database: Database,
  table: string,
  key: readonly string[],
  columns: readonly string[],
  rows: readonly Parameter[][],
  update: (column: string) => string = (column) => `${column} = ${inserted(database, column)}`,
): Statement | null {
  if (rows.length === 0) return null;
  const tuple = `(${columns.map(() => '?').join(', ')})`;
  const onConflict =
    database.dialect === 'mysql' ? 'ON DUPLICATE KEY UPDATE' : `ON CONFLICT (${key.join(', ')}) DO UPDATE SET`;
  const assignments = columns.filter((column) => !key.includes(column)).map(update);
  return {
    sql: `INSERT INTO ${table} (${columns.join(', ')}) VALUES ${rows.map(() => tuple).join(', ')} ${onConflict} ${assignments.join(', ')}`,
    parameters: rows.flat(),
  };
}

/** The value that the row would have been inserted with, inside an upsert. */
export function inserted(database: Database, column: string): string {
  return database.dialect === 'mysql' ? `VALUES(${column})` : `excluded.${column}`;
}

export function upsertCounters(database: Database, counters: Iterable<OutboundCounter>): Statement | null {
  return upsert(database, 'outbound_counter', ['domain_id'], COUNTER_COLUMNS, Array.from(counters, counterValues));
}

export function insertClosed(closed: readonly ClosedPeriod[]): Statement | null {
  if (closed.length === 0) return null;
  return {
    sql: `INSERT INTO outbound_history (domain_id, period_start, period_end, sent, bytes, bounces, complaints)
     VALUES ${closed.map(() => '(?, ?, ?, ?, ?, ?, ?)').join(', ')}`,
    parameters: closed.flatMap((period) => [
      period.domainId,
      period.periodStart.getTime(),
      period.periodEnd.getTime(),
      period.sent,
      period.bytes,
      period.bounces,
      period.complaints,
    ]),
  };
}

export function toEpochs(row: Row | undefined): OutboundEpochs {
  return {
    dayEpoch: Number(row?.day_epoch ?? 0),
    monthEpoch: Number(row?.month_epoch ?? 0),
    monthStartedAt: new Date(Number(row?.month_started_at ?? 0)),
  };
}

export function toTierLimits(rows: readonly Row[]): TierLimits {
  const byTier = new Map(rows.map((row) => [row.tier, row]));
  const limits = (tier: OutboundTier) => {
    const row = byTier.get(tier);
    if (row === undefined) throw new Error(`The tier ${tier} is missing in outbound_tier`);
    return { dailyLimit: Number(row.daily_limit), monthlyLimit: Number(row.monthly_limit) };
  };
  return Object.fromEntries(OUTBOUND_TIERS.map((tier) => [tier, limits(tier)])) as TierLimits;
}

/** 192 bits of an increment's id, as 32 characters: the key of its row is short, whatever callers send. */
export function hashId(id: string): string {
  return hash('sha256', id, 'base64url').slice(0, 32);
}

/** `(domain_id = ? AND column IN (?, ?)) OR …`: ranges of the primary key that both databases read as such. */
export function byDomain(
  column: string,
  pairs: Iterable<readonly [domainId: number, value: string]>,
): { sql: string; parameters: Parameter[] } {
  const groups = new Map<number, Set<string>>();
  for (const [domainId, value] of pairs) {
    const values = groups.get(domainId);
    if (values === undefined) groups.set(domainId, new Set([value]));
    else values.add(value);
  }
  const sql = Array.from(
    groups.values(),
    (values) => `(domain_id = ? AND ${column} IN (${Array.from(values, () => '?').join(', ')}))`,
  ).join(' OR ');
  return { sql, parameters: Array.from(groups, ([domainId, values]) => [domainId, ...values]).flat() };
}
