import { setImmediate } from 'node:timers/promises';
import type { DomainName } from '@mailstead/core/domains/domain-name';
import type { NameHistory } from '@mailstead/core/domains/tombstone';
import { type Database, type Parameter, placeholders, type Row } from '../driver/database.js';
import { FORMER_COLUMNS } from '../relay/former-columns.js';
import { forgetSuppressions } from '../suppressions/suppression-counts.js';

/*
 * Plain SQL: a deletion moves up to hundreds of thousands of rows, and this process reads only their ids. 10,000
 * mailboxes with their aliases take fewer than 140 statements (`tombstone-repository.test.ts`).
 */

/** The tables of a domain's outbound counts, and how much of them is in closed days of usage. */
const OUTBOUND_TABLES = [
  'outbound_counter',
  'outbound_day',
  'outbound_sender',
  'outbound_history',
  'outbound_counted_id',
  'usage_counted',
];
/**
 * The tables that limit what may still be sent. A move copies them for the former partner, of senders only the current
 * day.
 */
const COPIED_TABLES = [
  { table: 'outbound_counter', since: '' },
  { table: 'outbound_day', since: '' },
  { table: 'outbound_sender', since: ' AND day >= ?' },
];
/** MariaDB converts an IN list of 1,000 or more items into a temporary table, and joins it without the primary key. */
export const ROWS_PER_STATEMENT = 500;

/** A table whose rows are copied into `deleted_…` when they are deleted. */
type KeptTable = 'domain' | 'verification' | 'mailbox' | 'alias';

/**
 * Who had a name last; null when nothing is known. Part of every creation of a domain, so that it is read without
 * TypeORM's query builder (decision 0003).
 */
export async function lastHolder(database: Database, name: DomainName): Promise<NameHistory['last']> {
  const [row] = await database.read(
    "SELECT partner_id, deleted_at FROM tombstone WHERE name = ? AND kind <> 'mailbox' ORDER BY deleted_at DESC, id DESC LIMIT 1",
    [name],
  );
  return row === undefined ? null : { partnerId: Number(row.partner_id), leftAt: new Date(Number(row.deleted_at)) };
}

/**
 * The daily limit of the partner's last deleted mailbox of an address; null without one. Part of every creation of a
 * mailbox.
 */
export async function lastDailyLimit(database: Database, email: string, partnerId: number): Promise<number | null> {
  const [row] = await database.read(
    `SELECT m.outbound_daily_limit FROM deleted_mailbox m JOIN tombstone t ON t.id = m.tombstone_id
      WHERE m.email = ? AND t.partner_id = ? ORDER BY t.deleted_at DESC, t.id DESC LIMIT 1`,
    [email, partnerId],
  );
  return row === undefined ? null : Number(row.outbound_daily_limit);
}

/** Copies a domain and its verification. */
export async function copyDomain(database: Database, tombstoneId: number, domainId: number): Promise<void> {
  await copyRows(database, 'domain', tombstoneId, 'id = ?', [domainId]);
  await copyRows(database, 'verification', tombstoneId, 'domain_id = ?', [domainId]);
}

export function moveAliasesOfDomain(database: Database, tombstoneId: number, domainId: number): Promise<void> {
  return moveRows(database, 'alias', tombstoneId, 'SELECT id FROM alias WHERE domain_id = ?', domainId);
}

export function moveMailboxesOfDomain(database: Database, tombstoneId: number, domainId: number): Promise<void> {
  return moveRows(database, 'mailbox', tombstoneId, 'SELECT id FROM mailbox WHERE domain_id = ?', domainId);
}

export async function moveMailbox(database: Database, tombstoneId: number, mailboxId: number): Promise<void> {
  const aliases = 'SELECT id FROM alias WHERE destination_mailbox_id = ?';
  await moveRows(database, 'alias', tombstoneId, aliases, mailboxId);
  await moveRows(database, 'mailbox', tombstoneId, 'SELECT id FROM mailbox WHERE id = ?', mailboxId);
}

/**
 * Moves the aliases of any domain that deliver to mailboxes of this domain. Each search starts at the mailbox where the
 * last one ended, because the mailboxes before it have no aliases left.
 */
export async function moveAliasesIntoDomain(database: Database, tombstoneId: number, domainId: number): Promise<void> {
  const { dialect } = database;
  // Otherwise MariaDB scans the mailboxes of all domains by id, and waits for rows that others have locked.
  const mailbox = `mailbox m${dialect.byIndex('ix_mailbox_domain')}`;
  for (let from = 0; ; ) {
    const rows = await database.read(
      `SELECT a.id, m.id AS mailbox_id FROM ${mailbox} JOIN alias a ON a.destination_mailbox_id = m.id
        WHERE m.domain_id = ? AND m.id >= ? ORDER BY m.id LIMIT ?${dialect.forUpdate}`,
      [domainId, from, ROWS_PER_STATEMENT],
    );
    await moveFound(database, 'alias', tombstoneId, rows);
    const last = rows.at(-1);
    if (last === undefined || rows.length < ROWS_PER_STATEMENT) return;
    from = Number(last.mailbox_id);
  }
}

/** Lowers the alias counts of other domains whose aliases deliver to this domain's mailboxes. @returns the sum */
export async function uncountAliasesIntoDomain(database: Database, domainId: number): Promise<number> {
  const rows = await database.read(
    `SELECT a.domain_id, COUNT(*) AS aliases FROM mailbox m JOIN alias a ON a.destination_mailbox_id = m.id
      WHERE m.domain_id = ? AND a.domain_id <> ? GROUP BY a.domain_id ORDER BY a.domain_id`,
    [domainId, domainId],
  );
  return lowerAliasCounts(database, rows);
}

/** Lowers the alias counts of the domains whose aliases deliver to the mailbox. @returns the sum */
export async function uncountAliasesIntoMailbox(database: Database, mailboxId: number): Promise<number> {
  const rows = await database.read(
    'SELECT domain_id, COUNT(*) AS aliases FROM alias WHERE destination_mailbox_id = ? GROUP BY domain_id ORDER BY domain_id',
    [mailboxId],
  );
  return lowerAliasCounts(database, rows);
}

/**
 * Copies the rows that limit what a domain may still send to another id.
 *
 * @param day the UTC day of the copied senders
 */
export async function copyOutboundRows(database: Database, domainId: number, to: number, day: string): Promise<void> {
  for (const { table, since } of COPIED_TABLES) {
    const columns = columnsOf(database, table).filter((column) => column !== 'domain_id');
    await database.write(
      `INSERT INTO ${table} (domain_id, ${columns.join(', ')}) SELECT ?, ${columns.join(', ')} FROM ${table} WHERE domain_id = ?${since}${database.dialect.forUpdate}`,
      [to, domainId, ...(since === '' ? [] : [day])],
    );
  }
}

/** Also the suppressions, which a deleted domain keeps under its id. */
export async function deleteOutboundRows(database: Database, countersIds: readonly number[]): Promise<void> {
  if (countersIds.length === 0) return;
  for (const table of OUTBOUND_TABLES) {
    await database.write(`DELETE FROM ${table} WHERE domain_id IN (${placeholders(countersIds)})`, [...countersIds]);
  }
  await forgetSuppressions(database, countersIds);
}

/**
 * Moves rows into the `deleted_…` table, a limited number with each statement. Reads and locks their ids first, so that
 * the same rows are copied and deleted.
 *
 * @param ids selects the ids, with one parameter
 */
async function moveRows(
  database: Database,
  table: KeptTable,
  tombstoneId: number,
  ids: string,
  parameter: number,
): Promise<void> {
  for (;;) {
    const sql = `${ids} LIMIT ?${database.dialect.forUpdate}`;
    const rows = await database.read(sql, [parameter, ROWS_PER_STATEMENT]);
    await moveFound(database, table, tombstoneId, rows);
    if (rows.length < ROWS_PER_STATEMENT) return;
  }
}

/** Moves the rows with these ids, which are locked. */
export async function moveFound(
  database: Database,
  table: KeptTable,
  tombstoneId: number,
  rows: readonly Row[],
): Promise<void> {
  if (rows.length === 0) return;
  const ids = rows.map((row) => Number(row.id));
  await copyRows(database, table, tombstoneId, `id IN (${placeholders(ids)})`, ids);
  await database.write(`DELETE FROM ${table} WHERE id IN (${placeholders(ids)})`, ids);
  // Lets other work of the event loop run, because SQLite returns without I/O.
  await setImmediate();
}

async function copyRows(
  database: Database,
  table: KeptTable,
  tombstoneId: number,
  where: string,
  parameters: Parameter[],
): Promise<void> {
  const columns = columnsOf(database, table).join(', ');
  await database.write(
    `INSERT INTO deleted_${table} (tombstone_id, ${columns}) SELECT ?, ${columns} FROM ${table} WHERE ${where}`,
    [tombstoneId, ...parameters],
  );
}

export function columnsOf(database: Database, table: string): string[] {
  const metadata = database.writer.entityMetadatas.find(({ tableName }) => tableName === table);
  if (metadata === undefined) throw new Error(`There is no table ${table}`);
  return metadata.columns
    .filter(({ isVirtualProperty, databaseName }) => !isVirtualProperty && !FORMER_COLUMNS.includes(databaseName))
    .map(({ databaseName }) => databaseName);
}

/** @param rows `domain_id` and `aliases`, ordered by id. @returns the sum of `aliases` */
export async function lowerAliasCounts(database: Database, rows: readonly Row[]): Promise<number> {
  let lowered = 0;
  for (const row of rows) {
    const aliases = Number(row.aliases);
    await database.write('UPDATE domain SET alias_count = alias_count - ? WHERE id = ?', [
      aliases,
      Number(row.domain_id),
    ]);
    lowered += aliases;
  }
  return lowered;
}
