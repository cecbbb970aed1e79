import type { OutboundEpochs } from '@mailstead/core/outbound/outbound-period';
import { type Database, type Parameter, placeholders, type Statement } from '../driver/database.js';
import type { Dialect } from '../driver/dialect.js';
import { toEpochs } from './outbound-rows.js';

/*
 * Plain SQL: a reset of 1,000,000 domains takes 0.2 s by a row that is raised, and the counters of a month that is over are
 * frozen many with each statement, and none of their rows is read: 1,000,000 take 19 s, while no increment waits longer than 0.3 s
 * (`docs/performance.md`).
 */

/** Counters that share a month and an epoch, and therefore a fate. */
export interface Cohort {
  month: string;
  monthEpoch: number;
}

/** @param lock of the dialect, or the empty string. */
export async function readEpochs(database: Database, lock: string): Promise<OutboundEpochs> {
  const rows = await database.read(
    `SELECT day_epoch, month_epoch, month_started_at FROM outbound_epoch WHERE id = 1${lock}`,
  );
  return toEpochs(rows[0]);
}

export async function raiseDayEpoch(database: Database): Promise<void> {
  await database.write('UPDATE outbound_epoch SET day_epoch = day_epoch + 1 WHERE id = 1');
}

/** @param startedAt epoch milliseconds of the new period's begin. */
export async function raiseMonthEpoch(database: Database, startedAt: number): Promise<void> {
  await database.write('UPDATE outbound_epoch SET month_epoch = month_epoch + 1, month_started_at = ? WHERE id = 1', [
    startedAt,
  ]);
}

/** A day and a month are set exactly while something is counted on them, so the index alone has the number. */
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

/** The next counters of a cohort by their domain's id, without a lock, so that no increment waits for the search. */
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

/** What freezes counters, as far as they are still of the cohort. */
export interface Freeze {
  lock: Statement;
  keep: Statement;
  clear: Statement;
}

/** By the primary key: a lock that came through the other index would meet the increments' in the wrong order. */
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
      sql: `INSERT INTO outbound_history (domain_id, period_start, period_end, sent, bytes, bounces, complaints)
                SELECT domain_id, period_start, ?, sent_month, bytes_month, bounces_month, complaints_month
                  FROM ${table} ${where} ORDER BY domain_id`,
      parameters: [periodEnd.getTime(), ...parameters],
    },
    clear: {
      sql: `UPDATE ${table} SET month = '', month_epoch = -1, period_start = 0, sent_month = 0, bytes_month = 0, bounces_month = 0, complaints_month = 0 ${where}`,
      parameters,
    },
  };
}
