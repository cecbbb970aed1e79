import type { OutboundEpochs } from '@mailstead/core/outbound/outbound-period';
import { type Database, type Parameter, placeholders, type Statement } from '../driver/database.js';
import type { Dialect } from '../driver/dialect.js';
import { toEpochs } from './outbound-rows.js';

/*
 * Plain SQL: a reset of 1,000,000 domains raises the epoch in one row and takes 0.2 s. Counters of a past month are
 * frozen many at a time, without reading their rows into this process: 1,000,000 take 19 s, and no increment waits
 * longer than 0.3 s (`docs/performance.md`).
 */

/** The counters with the same month and epoch. They are frozen together. */
export interface Cohort {
  month: string;
  monthEpoch: number;
}

/** @param lock a lock clause of the dialect, or the empty string */
export async function readEpochs(database: Database, lock: string): Promise<OutboundEpochs> {
  const rows = await database.read(
    `SELECT day_epoch, month_epoch, month_started_at FROM outbound_epoch WHERE id = 1${lock}`,
  );
  return toEpochs(rows[0]);
}

export async function resetDay(database: Database): Promise<void> {
  await database.write('UPDATE outbound_epoch SET day_epoch = day_epoch + 1 WHERE id = 1');
}

/** @param startedAt the start of the new period, epoch milliseconds */
export async function resetMonth(database: Database, startedAt: number): Promise<void> {
  await database.write('UPDATE outbound_epoch SET month_epoch = month_epoch + 1, month_started_at = ? WHERE id = 1', [
    startedAt,
  ]);
}

/** The index is enough to count: a counter has a day or month only while it counts messages of that day or month. */
export async function countCounters(database: Database, where: string, parameters: Parameter[]): Promise<number> {
  const [row] = await database.read(`SELECT COUNT(*) AS counters FROM outbound_counter WHERE ${where}`, parameters);
  return Number(row?.counters);
}

export async function readCohorts(database: Database): Promise<Cohort[]> {
  const rows = await database.read(
    'SELECT month_epoch, month FROM outbound_counter WHERE month_epoch >= 0 GROUP BY month_epoch, month ORDER BY month_epoch, month',
  );
  return rows.map((row) => ({ month: String(row.month), monthEpoch: Number(row.month_epoch) }));
}

/**
 * Finds the next counters of a cohort, ordered by domain id. Takes no lock, so that no increment waits for the search.
 */
export async function findCounters(
  database: Database,
  { month, monthEpoch }: Cohort,
  after: number,
  limit: number,
): Promise<number[]> {
  const rows = await database.read(
    'SELECT domain_id FROM outbound_counter WHERE month_epoch = ? AND month = ? AND domain_id > ? ORDER BY domain_id LIMIT ?',
    [monthEpoch, month, after, limit],
  );
  return rows.map((row) => Number(row.domain_id));
}

/** The statements that freeze those of the counters that still belong to the cohort. */
export interface Freeze {
  lock: Statement;
  keep: Statement;
  clear: Statement;
}

/** Locks through the primary key, as increments do. Through the other index the order of the locks would differ. */
export function freezeCounters(
  { byPrimaryKey, forUpdate }: Dialect,
  ids: readonly number[],
  { month, monthEpoch }: Cohort,
  periodEnd: Date,
): Freeze {
  const table = `outbound_counter${byPrimaryKey}`;
  const where = `WHERE domain_id IN (${placeholders(ids)}) AND month_epoch = ? AND month = ?`;
  const parameters = [...ids, monthEpoch, month];
  return {
    lock: { sql: `SELECT COUNT(*) AS closed FROM ${table} ${where}${forUpdate}`, parameters },
    keep: {
      sql: `INSERT INTO outbound_history (domain_id, period_start, period_end, sent, bytes, bytes_in, bounces, complaints)
                SELECT domain_id, period_start, ?, sent_month, bytes_month, bytes_in_month, bounces_month, complaints_month
                  FROM ${table} ${where} ORDER BY domain_id`,
      parameters: [periodEnd.getTime(), ...parameters],
    },
    clear: {
      sql: `UPDATE ${table} SET month = '', month_epoch = -1, period_start = 0, sent_month = 0, bytes_month = 0, bytes_in_month = 0, bounces_month = 0, complaints_month = 0 ${where}`,
      parameters,
    },
  };
}
