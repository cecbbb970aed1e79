import { periodAt } from '@mailstead/core/outbound/outbound-period';
import type { Database } from '../driver/database.js';
import type { Dialect } from '../driver/dialect.js';
import {
  addToDays,
  insertClosed,
  lockCounters,
  lockPeriod,
  MOST,
  upsertCounters,
} from '../outbound/ledger-statements.js';
import { toCounter, toEpochs } from '../outbound/outbound-rows.js';
import { columnsOf } from './tombstone-statements.js';

/*
 * Plain SQL: a domain may have hundreds of thousands of counted ids, which this process does not read.
 */

/** How the rows of a table join those that the heir has with the same key. */
interface Merge {
  table: string;
  /** The key without `domain_id`. */
  key: readonly string[];
  /** The assignments for a key that the heir has, in the order in which MySQL executes them. */
  assignments: (dialect: Dialect) => string[];
}

/** The counts of a day, and how much of them is in the day of the partner. */
const DAY_SUMS = ['sent', 'bounces', 'complaints', 'partner_sent', 'partner_bounces', 'partner_complaints'];

const MERGED: readonly Merge[] = [
  {
    table: 'outbound_day',
    key: ['day'],
    assignments: (dialect) => DAY_SUMS.map((column) => sumOf(dialect, 'outbound_day', column)),
  },
  {
    table: 'outbound_sender',
    key: ['day', 'sender'],
    // Of two epochs of a day the later one counts.
    assignments: (dialect) => [
      ...['sent', 'sent_elsewhere', 'receipts'].map((column) =>
        latest(dialect, 'outbound_sender', 'day_epoch', column, MOST),
      ),
      `day_epoch = ${greater(dialect, 'outbound_sender', 'day_epoch')}`,
    ],
  },
  {
    table: 'outbound_counted_id',
    key: ['id_hash'],
    assignments: () => ['counted_at = outbound_counted_id.counted_at'],
  },
  {
    table: 'usage_counted',
    key: [],
    // Days before a restoration are not closed again, so what was counted of an earlier month is not compared any more.
    assignments: (dialect) => [
      ...['sent', 'bytes', 'bytes_in', 'bounces'].map((column) => latest(dialect, 'usage_counted', 'month', column)),
      `month = ${greater(dialect, 'usage_counted', 'month')}`,
    ],
  },
];

/**
 * Gives the outbound counts of a deleted domain, and how much of them is in closed days of usage, to another domain.
 * Counts that the heir has already are added: it is a restored domain, or had the name before a move.
 */
export async function handOverOutboundRows(
  database: Database,
  countersId: number,
  heirId: number,
  now: Date,
): Promise<void> {
  // First, because counting locks the counter: it waits for the hand-over.
  await handOverCounter(database, countersId, heirId, now);
  const { dialect } = database;
  for (const { table, key, assignments } of MERGED) {
    const columns = columnsOf(database, table).filter((column) => column !== 'domain_id');
    await database.write(
      `INSERT INTO ${table} (domain_id, ${columns.join(', ')})
       SELECT ?, ${columns.map((column) => `o.${column}`).join(', ')} FROM ${table} o WHERE o.domain_id = ?
       ${dialect.onConflict(['domain_id', ...key])} ${assignments(dialect).join(', ')}`,
      [heirId, countersId],
    );
    await database.write(`DELETE FROM ${table} WHERE domain_id = ?`, [countersId]);
  }
  await database.write('UPDATE outbound_history SET domain_id = ? WHERE domain_id = ?', [heirId, countersId]);
}

async function handOverCounter(database: Database, countersId: number, heirId: number, now: Date): Promise<void> {
  const { dialect } = database;
  const ids = [countersId, heirId].sort((left, right) => left - right);
  const [[epochs] = [], rows = []] = await database.together([lockPeriod(dialect), lockCounters(dialect, ids)]);
  const counters = new Map(rows.map((row) => [Number(row.domain_id), toCounter(row)]));
  const given = counters.get(countersId);
  const own = counters.get(heirId);
  if (given === undefined) return;
  if (own === undefined) {
    await database.write('UPDATE outbound_counter SET domain_id = ? WHERE domain_id = ?', [heirId, countersId]);
    return;
  }
  const closed = own.absorb(given, periodAt(now, toEpochs(epochs)));
  const days = closed.flatMap((ended) => ended.days);
  await database.together([
    insertClosed(closed.flatMap(({ period }) => period ?? [])),
    upsertCounters(dialect, [own]),
    // One statement a row: both may be of the same day.
    ...days.map(({ day, sent, partnerSent }) => addToDays(dialect, [[heirId, day, sent, 0, 0, partnerSent, 0, 0]])),
    { sql: 'DELETE FROM outbound_counter WHERE domain_id = ?', parameters: [countersId] },
  ]);
}

function sumOf(dialect: Dialect, table: string, column: string): string {
  return `${column} = ${dialect.least(MOST, `${table}.${column} + ${dialect.inserted(column)}`)}`;
}

/**
 * The sum, at most what the column holds, when both rows are of the same period; otherwise the value of the later one.
 */
function latest(dialect: Dialect, table: string, period: string, column: string, most?: string): string {
  const [own, given] = [`${table}.${period}`, dialect.inserted(period)];
  const added = `${table}.${column} + ${dialect.inserted(column)}`;
  const sum = most === undefined ? added : dialect.least(most, added);
  const kept = `CASE WHEN ${own} > ${given} THEN ${table}.${column} ELSE ${dialect.inserted(column)} END`;
  return `${column} = CASE WHEN ${own} = ${given} THEN ${sum} ELSE ${kept} END`;
}

function greater(dialect: Dialect, table: string, column: string): string {
  const [own, given] = [`${table}.${column}`, dialect.inserted(column)];
  return `CASE WHEN ${own} > ${given} THEN ${own} ELSE ${given} END`;
}
