import type { ClosedPeriod, OutboundCounter } from '@mailstead/core/outbound/outbound-counter';
import type { LedgerChanges } from '@mailstead/core/outbound/outbound-ledger';
import type { OutboundPeriod } from '@mailstead/core/outbound/outbound-period';
import { type Parameter, placeholders, type Statement } from '../driver/database.js';
import type { Dialect } from '../driver/dialect.js';
import { COUNTER_COLUMNS, COUNTER_SELECT, counterValues, hashId } from './outbound-rows.js';

/*
 * The statements of the outbound ledger. A statement with a list is null when the list is empty. Plain SQL: a batch of
 * about 60 increments reads in one round trip, and writes and commits in another. An increment takes 163 µs of
 * processor time, 123 of them for HTTP (`docs/performance.md`). TypeORM sends one statement in each round trip and
 * creates an entity for every row.
 */

const DAY_KEY = ['domain_id', 'day'];
const DAY_COLUMNS = [...DAY_KEY, 'sent', 'bounces', 'complaints'];

/**
 * Shared lock of the epochs and the tiers. A reset locks the same row exclusively, so it runs before or after a batch.
 */
export function lockPeriod({ forShare }: Dialect): Statement {
  return readPeriod(forShare);
}

export function readPeriod(share = ''): Statement {
  return {
    sql: `SELECT e.day_epoch, e.month_epoch, e.month_started_at, t.tier, t.daily_limit, t.monthly_limit
            FROM outbound_epoch e CROSS JOIN outbound_tier t WHERE e.id = 1${share}`,
    parameters: [],
  };
}

export function readLinks(ids: readonly number[]): Statement | null {
  return overList(ids, 'SELECT id, parent_id FROM domain WHERE id IN');
}

/** @param ids in ascending order, in which all transactions lock them */
export function lockCounters({ forUpdate }: Dialect, ids: readonly number[]): Statement | null {
  return readCounters(ids, `ORDER BY domain_id${forUpdate}`);
}

export function readCounters(ids: readonly number[], after = ''): Statement | null {
  return overList(ids, `SELECT ${COUNTER_SELECT} FROM outbound_counter WHERE domain_id IN`, after);
}

/** Inserts the counters that do not exist. */
export function makeCounters(dialect: Dialect, ids: readonly number[]): Statement {
  return {
    sql: `INSERT INTO outbound_counter (${COUNTER_SELECT}) VALUES ${ids.map(() => "(?, '', 0, 0, 0, '', -1, 0, 0, 0, 0, 0)").join(', ')}
          ${dialect.keepOnConflict('domain_id')}`,
    parameters: [...ids],
  };
}

const FACTS = `SELECT d.id, d.name, d.partner_id, p.ref, d.suspension_causes, d.outbound_tier, d.outbound_enforcement,
            d.outbound_status, d.operator_daily_limit, d.operator_monthly_limit, d.client_daily_limit,
            d.client_monthly_limit, d.transfer_monthly_mb, d.parent_id, d.inherited_until, v.status, v.lost_at
       FROM domain d JOIN verification v ON v.domain_id = d.id JOIN partner p ON p.id = d.partner_id`;

/** Reads domains and parents in one statement, so that the result is consistent when a parent is deleted meanwhile. */
export function readFacts(names: readonly Parameter[], parentIds: readonly Parameter[]): Statement | null {
  const parts = [overList(names, `${FACTS} WHERE d.name IN`), overList(parentIds, `${FACTS} WHERE d.id IN`)];
  const needed = parts.filter((part) => part !== null);
  if (needed.length === 0) return null;
  return {
    sql: needed.map(({ sql }) => sql).join(' UNION ALL '),
    parameters: needed.flatMap(({ parameters }) => parameters),
  };
}

/** Reads the senders' mailboxes that have their own limit. */
export function readLimitedMailboxes(senders: readonly string[]): Statement | null {
  return overList(
    [...new Set(senders)],
    `SELECT m.email, m.outbound_daily_limit, d.partner_id FROM mailbox m JOIN domain d ON d.id = m.domain_id
      WHERE m.outbound_daily_limit > 0 AND m.email IN`,
  );
}

export function readSenders(period: OutboundPeriod, pairs: readonly [number, string][]): Statement | null {
  if (pairs.length === 0) return null;
  const { sql, parameters } = byDomain('sender', pairs);
  return {
    sql: `SELECT domain_id, sender, sent FROM outbound_sender WHERE day = ? AND day_epoch = ? AND (${sql})`,
    parameters: [period.day, period.dayEpoch, ...parameters],
  };
}

/** @param pairs domain id and hash of the increment's id */
export function readIncrements(since: number, pairs: readonly [number, string][]): Statement | null {
  if (pairs.length === 0) return null;
  const { sql, parameters } = byDomain('id_hash', pairs);
  return {
    sql: `SELECT domain_id, id_hash, message_count, verdict FROM outbound_increment WHERE counted_at > ? AND (${sql})`,
    parameters: [since, ...parameters],
  };
}

export function addToDays(dialect: Dialect, rows: readonly Parameter[][]): Statement | null {
  const sum = (column: string) => `${column} = outbound_day.${column} + ${dialect.inserted(column)}`;
  return upsert(dialect, 'outbound_day', DAY_KEY, DAY_COLUMNS, rows, sum);
}

export function setDay(dialect: Dialect, row: Parameter[]): Statement | null {
  return upsert(dialect, 'outbound_day', DAY_KEY, DAY_COLUMNS, [row]);
}

export function addToSenders(
  dialect: Dialect,
  senders: LedgerChanges['senders'],
  { day, dayEpoch }: OutboundPeriod,
): Statement | null {
  return upsert(
    dialect,
    'outbound_sender',
    ['domain_id', 'day', 'sender'],
    ['domain_id', 'day', 'sender', 'sent', 'day_epoch'],
    Array.from(senders.values(), ({ domainId, sender, sent }) => [domainId, day, sender, sent, dayEpoch]),
    // MySQL assigns from left to right, so `sent` is computed with the old epoch.
    (column) =>
      column === 'sent'
        ? `sent = ${dialect.inserted('sent')} + CASE WHEN outbound_sender.day_epoch = ${dialect.inserted('day_epoch')} THEN outbound_sender.sent ELSE 0 END`
        : `${column} = ${dialect.inserted(column)}`,
  );
}

export function rememberIncrements(
  dialect: Dialect,
  increments: LedgerChanges['increments'],
  now: Date,
): Statement | null {
  return upsert(
    dialect,
    'outbound_increment',
    ['domain_id', 'id_hash'],
    ['domain_id', 'id_hash', 'message_count', 'verdict', 'counted_at'],
    Array.from(increments.values(), ({ domainId, id, count, answer }) => [
      domainId,
      hashId(id),
      count,
      JSON.stringify(answer),
      now.getTime(),
    ]),
  );
}

export function upsertCounters(dialect: Dialect, counters: Iterable<OutboundCounter>): Statement | null {
  return upsert(dialect, 'outbound_counter', ['domain_id'], COUNTER_COLUMNS, Array.from(counters, counterValues));
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

/**
 * Inserts or updates rows with one statement. An existing row gets the new values, or those of `update`. Null without
 * rows.
 */
function upsert(
  dialect: Dialect,
  table: string,
  key: readonly string[],
  columns: readonly string[],
  rows: readonly Parameter[][],
  update: (column: string) => string = (column) => `${column} = ${dialect.inserted(column)}`,
): Statement | null {
  if (rows.length === 0) return null;
  const tuple = `(${columns.map(() => '?').join(', ')})`;
  const assignments = columns.filter((column) => !key.includes(column)).map(update);
  return {
    sql: `INSERT INTO ${table} (${columns.join(', ')}) VALUES ${rows.map(() => tuple).join(', ')} ${dialect.onConflict(key)} ${assignments.join(', ')}`,
    parameters: rows.flat(),
  };
}

/** `(domain_id = ? AND column IN (?, ?)) OR …`: both databases read it as ranges of the primary key. */
function byDomain(
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

function overList(values: readonly Parameter[], before: string, after = ''): Statement | null {
  if (values.length === 0) return null;
  return { sql: `${before} (${placeholders(values)}) ${after}`, parameters: [...values] };
}
