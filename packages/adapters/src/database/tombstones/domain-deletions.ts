import type { EntitySchema } from 'typeorm';
import { addToCounts } from '../domains/domain-statements.js';
import { type Database, placeholders, type Row } from '../driver/database.js';
import { Columns, type Dialect } from '../driver/dialect.js';
import { rowTable } from '../driver/row-table.js';
import { lowerAliasCounts, moveFound, ROWS_PER_STATEMENT } from './tombstone-statements.js';

/** A deletion that has begun and whose rows are moved in pieces. */
interface DomainDeletion {
  tombstoneId: number;
  /** The end of the grace, which the tombstone gets when the last piece is moved. */
  expiresAt: Date;
}

/**
 * One row for each domain whose deletion has begun. Without a foreign key: a process of the former release (@until 5.3)
 * may delete the domain meanwhile, and the tombstone then still has to be ended.
 */
export function domainDeletionSchema(dialect: Dialect): EntitySchema<object> {
  const columns = new Columns(dialect);
  return rowTable('DomainDeletionRow', 'domain_deletion', {
    columns: {
      domainId: columns.ref({ name: 'domain_id', primary: true }),
      tombstoneId: columns.ref({ name: 'tombstone_id' }),
      expiresAt: columns.time({ name: 'expires_at' }),
    },
  });
}

export async function noteBegun(database: Database, domainId: number, deletion: DomainDeletion): Promise<void> {
  await database.write('INSERT INTO domain_deletion (domain_id, tombstone_id, expires_at) VALUES (?, ?, ?)', [
    domainId,
    deletion.tombstoneId,
    deletion.expiresAt.getTime(),
  ]);
}

export async function noteEnded(database: Database, domainId: number): Promise<void> {
  await database.write('DELETE FROM domain_deletion WHERE domain_id = ?', [domainId]);
}

/** Locks the row: several processes may move pieces of the same domain. */
export async function lockBegun(database: Database, domainId: number): Promise<DomainDeletion | null> {
  const [row] = await database.read(
    `SELECT tombstone_id, expires_at FROM domain_deletion WHERE domain_id = ?${database.dialect.forUpdate}`,
    [domainId],
  );
  return row === undefined
    ? null
    : { tombstoneId: Number(row.tombstone_id), expiresAt: new Date(Number(row.expires_at)) };
}

/**
 * Moves the next rows of a domain, with their counts: up to 500 of its aliases; when it has none left, up to 500
 * mailboxes with up to 500 aliases of other domains that deliver to them.
 *
 * @returns the numbers of moved rows
 */
export async function movePieceOfDomain(
  database: Database,
  tombstoneId: number,
  domainId: number,
): Promise<{ mailboxes: number; aliases: number }> {
  const { dialect } = database;
  const own = await database.read(`SELECT id FROM alias WHERE domain_id = ? LIMIT ?${dialect.forUpdate}`, [
    domainId,
    ROWS_PER_STATEMENT,
  ]);
  if (own.length > 0) {
    await moveFound(database, 'alias', tombstoneId, own);
    await addToCounts(database, domainId, { aliases: -own.length });
    return { mailboxes: 0, aliases: own.length };
  }
  const mailboxes = await database.read(
    `SELECT id FROM mailbox${dialect.byIndex('ix_mailbox_domain')} WHERE domain_id = ? ORDER BY id LIMIT ?${dialect.forUpdate}`,
    [domainId, ROWS_PER_STATEMENT],
  );
  if (mailboxes.length === 0) return { mailboxes: 0, aliases: 0 };
  const aliases = await lockAliasesInto(database, mailboxes);
  await lowerAliasCounts(database, countsByDomain(aliases));
  await moveFound(database, 'alias', tombstoneId, aliases);
  // There may be more aliases to these mailboxes: they are moved with the next pieces.
  if (aliases.length === ROWS_PER_STATEMENT) return { mailboxes: 0, aliases: aliases.length };
  await moveFound(database, 'mailbox', tombstoneId, mailboxes);
  await addToCounts(database, domainId, { mailboxes: -mailboxes.length });
  return { mailboxes: mailboxes.length, aliases: aliases.length };
}

function lockAliasesInto(database: Database, mailboxes: readonly Row[]): Promise<Row[]> {
  const ids = mailboxes.map(({ id }) => Number(id));
  return database.read(
    `SELECT id, domain_id FROM alias WHERE destination_mailbox_id IN (${placeholders(ids)}) LIMIT ?${database.dialect.forUpdate}`,
    [...ids, ROWS_PER_STATEMENT],
  );
}

/** `domain_id` and `aliases` of each domain, ordered by id. */
function countsByDomain(aliases: readonly Row[]): Row[] {
  const counts = new Map<number, number>();
  for (const row of aliases) counts.set(Number(row.domain_id), (counts.get(Number(row.domain_id)) ?? 0) + 1);
  return [...counts]
    .sort(([left], [right]) => left - right)
    .map(([domainId, count]) => ({ domain_id: domainId, aliases: count }));
}
