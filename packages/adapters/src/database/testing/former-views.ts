import type { Database, Row } from '../driver/database.js';
import { mysqlViews } from '../migrations/mysql-views.js';
import { mysqlViewsDestinations } from '../migrations/mysql-views-destinations.js';
import { mysqlViewsSuspensions } from '../migrations/partner-suspensions.js';

/** Each view, and the SQL that reads its rows from the views before `mta_domain`. */
const EXPECTED = {
  mta_domains:
    'SELECT domain, suspended, retention_days, transfer_cap_mb, outbound_held, transfer_inbound_capped FROM former_mta_domains',
  mta_domain_state:
    'SELECT domain, suspended, outbound_held, transfer_cap_mb > 0 AS capped_possible FROM former_mta_domains',
  mta_mailboxes: 'SELECT address, domain, local_part, suspended, quota_mb, active FROM former_mta_mailboxes',
  mta_aliases: 'SELECT address, destination, domain FROM former_mta_aliases',
  mta_alias_names: 'SELECT address FROM alias',
  mta_sender_logins: 'SELECT address, login FROM former_mta_sender_logins',
  mta_relay: 'SELECT domain, relayhost FROM former_mta_relay',
  mda_users: 'SELECT user, domain, local_part, password_hash, quota_mb, suspended, active, home FROM former_mda_users',
  mta_domain: `SELECT d.id AS domain_id, f.domain, f.suspended, f.retention_days, f.transfer_cap_mb
                 FROM former_mta_domains f JOIN domain d ON d.name = f.domain`,
} as const;

/** A row that a view has and must not have, or the other way round: its values in the order of `EXPECTED`. */
export interface ViewDifference {
  view: string;
  is: 'missing' | 'wrong';
  row: string;
}

/** Creates the views of the releases before `mta_domain`, which compute everything for each look-up, as `former_…`. */
export async function createFormerViews(database: Database): Promise<void> {
  const statements = [...mysqlViews, ...mysqlViewsDestinations, ...mysqlViewsSuspensions].map(([, sql]) => sql);
  for (const sql of statements.filter((text) => / VIEW m[td]a_/.test(text))) {
    await database.write(sql.replace(/ VIEW (m[td]a_)/, ' VIEW former_$1'));
  }
}

/**
 * Compares every row and column of the views, and of `mta_domain`, with the former views.
 *
 * @param at the time of the comparison on the server; by default now
 */
export async function viewDifferences(database: Database, at: Date | null = null): Promise<ViewDifference[]> {
  const time = at === null ? '' : `SET STATEMENT timestamp = ${at.getTime() / 1_000} FOR `;
  const read = (reads: readonly string[]) =>
    database.readTogether(reads.map((sql) => ({ sql: time + sql, parameters: [] })));
  const reads = Object.entries(EXPECTED).map(([view, sql]) => ({
    view,
    pair: [sql, `SELECT ${columnsOf(sql).join(', ')} FROM ${view}`] as const,
    columns: columnsOf(sql),
  }));
  // The server compares the rows, of which there are thousands. They are read when it finds a difference.
  const digests = await read(reads.flatMap(({ pair, columns }) => pair.map((sql) => digestOf(sql, columns))));
  const different = reads.filter(
    (_, index) => String(texts(digests[2 * index] ?? [])) !== String(texts(digests[2 * index + 1] ?? [])),
  );
  const rows = await read(different.flatMap(({ pair }) => pair));
  return different.flatMap(({ view }, index) => {
    const [left, right] = [texts(rows[2 * index] ?? []), texts(rows[2 * index + 1] ?? [])];
    return [
      ...without(left, right).map((row) => ({ view, is: 'missing' as const, row })),
      ...without(right, left).map((row) => ({ view, is: 'wrong' as const, row })),
    ];
  });
}

/** Reads the number of rows, and a sum that the same rows have in any order. */
function digestOf(sql: string, columns: readonly string[]): string {
  const values = columns.map((column) => `IFNULL(CAST(${column} AS BINARY), 'null')`).join(", '|', ");
  const part = `CAST(CONV(LEFT(MD5(CONCAT(${values})), 15), 16, 10) AS UNSIGNED)`;
  return `SELECT COUNT(*) AS number, SUM(${part}) AS digest FROM (${sql}) AS found`;
}

function columnsOf(sql: string): string[] {
  return sql
    .slice('SELECT '.length, sql.indexOf(' FROM'))
    .split(',')
    .map((text) => text.trim().replace(/^.*? AS |^\w\./, ''));
}

function texts(rows: Row[]): string[] {
  return rows.map((row) => JSON.stringify(Object.values(row).map(String)));
}

/** The rows of a list without those of another one; a row that is there twice counts twice. */
function without(rows: string[], others: string[]): string[] {
  const left = new Map<string, number>();
  for (const row of others) left.set(row, (left.get(row) ?? 0) + 1);
  return rows.filter((row) => {
    const count = left.get(row) ?? 0;
    left.set(row, count - 1);
    return count <= 0;
  });
}
