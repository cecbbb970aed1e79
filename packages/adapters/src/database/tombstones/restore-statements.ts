import { setImmediate } from 'node:timers/promises';
import { utcDay } from '@mailstead/core/clock';
import type { DomainName } from '@mailstead/core/domains/domain-name';
import type { DeletedItem } from '@mailstead/core/restoration/deleted-item';
import type { RestoredMailboxes } from '@mailstead/core/restoration/deleted-items';
import { addSuffixes } from '../domains/domain-suffixes.js';
import { type Database, type Parameter, placeholders } from '../driver/database.js';
import { columnsOf, ROWS_PER_STATEMENT } from './tombstone-statements.js';

/*
 * Plain SQL: a restoration moves up to hundreds of thousands of rows back, and this process reads only the ids of the
 * mailboxes (`restored-mailboxes.sampled.test.ts` counts the statements).
 */

/**
 * The columns of a restored row that get another value than at the deletion, as SQL expressions with their parameters.
 */
type Changed = Record<string, { sql: string; values: Parameter[] }>;

/** Copies the row of a domain back, without its verification. */
export async function restoreDomainRow(
  database: Database,
  { id: itemId, domainId, name, partnerId }: DeletedItem,
  restoredAt: Date,
): Promise<void> {
  const changed: Changed = {
    restored_at: { sql: '?', values: [restoredAt.getTime()] },
    // The former parent may no longer exist.
    parent_id: { sql: 'NULL', values: [] },
    // The days since the deletion do not count.
    usage_day: { sql: '?', values: [utcDay(restoredAt)] },
    usage_mailboxes: { sql: '0', values: [] },
    mailbox_count: { sql: '0', values: [] },
    alias_count: { sql: '0', values: [] },
  };
  await copyBack(database, 'domain', changed, 'tombstone_id = ?', [itemId], [domainId]);
  await addSuffixes(database, { id: domainId, name: name as DomainName, partnerId });
  await database.write('DELETE FROM deleted_domain WHERE tombstone_id = ?', [itemId]);
  await database.write('DELETE FROM deleted_verification WHERE tombstone_id = ?', [itemId]);
}

/** Moves the mailboxes back. @returns their number */
export async function restoreMailboxRows(
  database: Database,
  { id: itemId, partnerId }: DeletedItem,
  { restoredAt, maxQuotaMb }: RestoredMailboxes,
): Promise<number> {
  const { serverTime } = database.dialect;
  const changed: Changed = {
    ...ofRestored(restoredAt, partnerId),
    // Sessions of before the deletion have ended.
    revoked_at: { sql: serverTime ?? '?', values: serverTime === null ? [restoredAt.getTime()] : [] },
    revision: { sql: 'revision + 1', values: [] },
  };
  if (maxQuotaMb !== null) {
    const sql = 'CASE WHEN quota_mb = 0 OR quota_mb > ? THEN ? ELSE quota_mb END';
    changed.quota_mb = { sql, values: [maxQuotaMb, maxQuotaMb] };
  }
  let moved = 0;
  for (let after = 0; ; ) {
    const rows = await database.read(
      'SELECT id FROM deleted_mailbox WHERE tombstone_id = ? AND id > ? ORDER BY id LIMIT ?',
      [itemId, after, ROWS_PER_STATEMENT],
    );
    const last = rows.at(-1);
    if (last === undefined) return moved;
    const range = [itemId, after, Number(last.id)];
    await copyBack(database, 'mailbox', changed, 'tombstone_id = ? AND id > ? AND id <= ?', range);
    await database.write('DELETE FROM deleted_mailbox WHERE tombstone_id = ? AND id > ? AND id <= ?', range);
    moved += rows.length;
    after = Number(last.id);
    // Lets other work of the event loop run, because SQLite returns without I/O.
    await setImmediate();
  }
}

/** Moves aliases back. */
export async function restoreAliasRows(
  database: Database,
  { id: itemId, partnerId }: DeletedItem,
  ids: readonly number[],
  restoredAt: Date,
): Promise<void> {
  const changed = ofRestored(restoredAt, partnerId);
  const where = `tombstone_id = ? AND id IN (${placeholders(ids)})`;
  await copyBack(database, 'alias', changed, where, [itemId, ...ids]);
  await database.write(`DELETE FROM deleted_alias WHERE ${where}`, [itemId, ...ids]);
  await setImmediate();
}

/** @param partnerId rows of the former release do not have it */
function ofRestored(restoredAt: Date, partnerId: number): Changed {
  return { restored_at: { sql: '?', values: [restoredAt.getTime()] }, partner_id: { sql: '?', values: [partnerId] } };
}

async function copyBack(
  database: Database,
  table: 'domain' | 'mailbox' | 'alias',
  changed: Changed,
  where: string,
  parameters: readonly Parameter[],
  keys: readonly number[] | null = null,
): Promise<void> {
  const columns = columnsOf(database, table);
  const selected = columns.map((column) => changed[column]?.sql ?? column);
  const values = columns.flatMap((column) => changed[column]?.values ?? []);
  await database.write(
    `INSERT INTO ${table} (${columns.join(', ')}) SELECT ${selected.join(', ')} FROM deleted_${table} WHERE ${where}`,
    [...values, ...parameters],
    keys,
  );
}
