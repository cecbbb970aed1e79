import { utcDay } from '@mailstead/core/clock';
import { type ClosedPeriod, MOST_MESSAGES, type OutboundCounter } from '@mailstead/core/outbound/outbound-counter';
import type { LedgerChanges } from '@mailstead/core/outbound/outbound-ledger';
import type { OutboundPeriod } from '@mailstead/core/outbound/outbound-period';
import { type Parameter, placeholders, type Statement } from '../driver/database.js';
import type { Dialect } from '../driver/dialect.js';
import type { IncrementId } from './ledger-snapshot.js';
import { COUNTER_COLUMNS, COUNTER_SELECT, counterValues, hashId } from './outbound-rows.js';
import { packIncrement } from './packed-increment.js';

/*
 * The statements of the outbound ledger. A statement with a list is null when the list is empty. Plain SQL: a batch of
 * about 60 increments reads in one round trip, and writes and commits in another. An increment takes 163 µs of
 * processor time, 123 of them for HTTP (`docs/performance.md`). TypeORM sends one statement in each round trip and
 * creates an entity for every row.
 */

export const MOST = String(MOST_MESSAGES);
const DAY_KEY = ['domain_id', 'day'];
const DAY_COLUMNS = [
  ...DAY_KEY,
  'sent',
  'bounces',
  'complaints',
  'partner_sent',
  'partner_bounces',
  'partner_complaints',
];

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
    sql: `INSERT INTO outbound_counter (${COUNTER_SELECT}) VALUES ${ids.map(() => "(?, '', 0, 0, 0, '', 0, '', -1, 0, 0, 0, 0, 0, 0)").join(', ')}
          ${dialect.keepOnConflict('domain_id')}`,
    parameters: [...ids],
  };
}

/** What is stored about a partner `p` and its tenant `t`. */
export const PARTNER_FACTS = `t.name AS tenant_name, t.configuration_set AS tenant_set, CASE WHEN t.status = 'paused' THEN COALESCE(t.status_since, 0) END AS paused_since,
            CASE WHEN p.suppression_mode = 'refuse' AND p.suppression_count > 0 THEN 1 ELSE 0 END AS refuses_suppressed`;

/** @returns the facts, each row with the configuration set in the last report about the account (`StoredReport`) */
function facts(dialect: Dialect): string {
  return `SELECT d.id, d.name, d.partner_id, p.ref, p.stage, d.suspension_causes, d.outbound_tier, d.outbound_enforcement,
            d.outbound_status, d.operator_daily_limit, d.operator_monthly_limit, d.temporary_daily_limit, d.temporary_monthly_limit,
            d.temporary_limits_until, d.client_daily_limit, d.client_monthly_limit, d.transfer_monthly_mb, d.inbound, d.parent_id, d.inherited_until, v.status, v.lost_at, v.configuration_set, v.tenant_partner_id,
            ${PARTNER_FACTS},
            (SELECT ${dialect.jsonText('s.report', '$.configurationSet.name')} FROM relay_state s WHERE s.id = 1) AS found_set
       FROM domain d JOIN verification v ON v.domain_id = d.id JOIN partner p ON p.id = d.partner_id
       LEFT JOIN relay_tenant t ON t.partner_id = d.partner_id`;
}

/** Reads domains and parents in one statement, so that the result is consistent when a parent is deleted meanwhile. */
export function readFacts(
  dialect: Dialect,
  names: readonly Parameter[],
  parentIds: readonly Parameter[],
): Statement | null {
  const select = facts(dialect);
  const parts = [overList(names, `${select} WHERE d.name IN`), overList(parentIds, `${select} WHERE d.id IN`)];
  const needed = parts.filter((part) => part !== null);
  if (needed.length === 0) return null;
  return {
    sql: needed.map(({ sql }) => sql).join(' UNION ALL '),
    parameters: needed.flatMap(({ parameters }) => parameters),
  };
}

export function readPartners(ids: readonly number[]): Statement | null {
  const select = `SELECT p.id AS partner_id, ${PARTNER_FACTS} FROM partner p LEFT JOIN relay_tenant t ON t.partner_id = p.id`;
  return overList(ids, `${select} WHERE p.id IN`);
}

/**
 * Reads the senders' mailboxes, with the time since their logins were last taken away, by the database's clock; of
 * those that have their own limit, or a read receipt, also what they sent today in the epoch `day_epoch`.
 */
export function readSenderMailboxes(
  { serverTime }: Dialect,
  senders: readonly string[],
  ofReceipts: readonly string[],
  now: Date,
): Statement | null {
  if (senders.length === 0) return null;
  const isCounted = overList(ofReceipts, '(m.outbound_daily_limit > 0 OR m.email IN', ')');
  return {
    sql: `SELECT m.email, m.outbound_daily_limit, ${serverTime ?? '?'} - m.revoked_at AS revoked_for_ms, s.day_epoch,
                 s.sent + s.sent_elsewhere AS sent_today, s.receipts
            FROM mailbox m
            LEFT JOIN outbound_sender s ON s.domain_id = m.domain_id AND s.day = ? AND s.sender = m.email
             AND ${isCounted?.sql ?? 'm.outbound_daily_limit > 0'}
           WHERE m.email IN (${placeholders(senders)})`,
    parameters: [...(serverTime === null ? [now.getTime()] : []), utcDay(now), ...ofReceipts, ...senders],
  };
}

/** Reads the outcomes of increments that were counted after `since`, epoch milliseconds. */
export function readIncrements(since: number, ids: readonly IncrementId[]): Statement | null {
  const pairs = ids.map(({ domainId, id }): [number, Parameter] => [domainId, hashId(id)]);
  if (pairs.length === 0) return null;
  const { sql, parameters } = byDomain('id_hash', pairs);
  return {
    sql: `SELECT domain_id, id_hash, outcome FROM outbound_counted_id WHERE counted_at > ? AND (${sql})`,
    parameters: [since, ...parameters],
  };
}

/** @param rows the values of `DAY_COLUMNS` */
export function addToDays(dialect: Dialect, rows: readonly Parameter[][]): Statement | null {
  // After many resets a day may have more messages than its column holds. The bounce rate then stays below the true
  // one.
  const sum = (column: string) =>
    `${column} = ${dialect.least(MOST, `outbound_day.${column} + ${dialect.inserted(column)}`)}`;
  return upsert(dialect, 'outbound_day', DAY_KEY, DAY_COLUMNS, rows, sum);
}

/** @param row the values of `DAY_COLUMNS` */
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
    ['domain_id', 'day', 'sender', 'sent', 'sent_elsewhere', 'receipts', 'day_epoch'],
    Array.from(senders.values(), ({ domainId, sender, sent, sentElsewhere, receipts }) => {
      return [domainId, day, sender, sent, sentElsewhere, receipts, dayEpoch];
    }),
    // MySQL assigns from left to right, so the counts are computed with the old epoch. A mailbox may send more through
    // all domains than its column holds; its limit is lower than that.
    (column) => {
      const inserted = dialect.inserted(column);
      if (column === 'day_epoch') return `${column} = ${inserted}`;
      const isSameDay = `outbound_sender.day_epoch = ${dialect.inserted('day_epoch')}`;
      const sum = `${inserted} + CASE WHEN ${isSameDay} THEN outbound_sender.${column} ELSE 0 END`;
      return `${column} = ${dialect.least(MOST, sum)}`;
    },
  );
}

export function rememberIncrements(
  dialect: Dialect,
  increments: LedgerChanges['increments'],
  now: Date,
): Statement | null {
  return upsert(
    dialect,
    'outbound_counted_id',
    ['domain_id', 'id_hash'],
    ['domain_id', 'id_hash', 'outcome', 'counted_at'],
    Array.from(increments.values(), ({ domainId, id, counted }) => [
      domainId,
      hashId(id),
      packIncrement(counted),
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
    sql: `INSERT INTO outbound_history (domain_id, period_start, period_end, sent, bytes, bytes_in, bounces, complaints)
     VALUES ${closed.map(() => '(?, ?, ?, ?, ?, ?, ?, ?)').join(', ')}`,
    parameters: closed.flatMap((period) => [
      period.domainId,
      period.periodStart.getTime(),
      period.periodEnd.getTime(),
      period.sent,
      period.bytes,
      period.bytesIn,
      period.bounces,
      period.complaints,
    ]),
  };
}

/**
 * Inserts or updates rows with one statement. An existing row gets the new values, or those of `update`. Null without
 * rows.
 */
export function upsert(
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
  pairs: Iterable<readonly [domainId: number, value: Parameter]>,
): { sql: string; parameters: Parameter[] } {
  const groups = new Map<number, Parameter[]>();
  for (const [domainId, value] of pairs) {
    const values = groups.get(domainId);
    if (values === undefined) groups.set(domainId, [value]);
    else values.push(value);
  }
  const sql = Array.from(
    groups.values(),
    (values) => `(domain_id = ? AND ${column} IN (${placeholders(values)}))`,
  ).join(' OR ');
  return { sql, parameters: Array.from(groups, ([domainId, values]) => [domainId, ...values]).flat() };
}

function overList(values: readonly Parameter[], before: string, after = ''): Statement | null {
  if (values.length === 0) return null;
  return { sql: `${before} (${placeholders(values)}) ${after}`, parameters: [...values] };
}
