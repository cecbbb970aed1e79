import { type Database, placeholders, type Row } from '../driver/database.js';
import { requireUnchanged } from '../driver/row-changed-error.js';

/*
 * Plain SQL: a claim is a locking read and an UPDATE with the same condition, for up to twenty rows. TypeORM's query
 * builder cannot limit the rows of a DELETE, nor compute the greatest of two columns.
 */

/** Its two parameters are both the current time. */
const IS_DUE = "state = 'waiting' AND next_attempt_at <= ? AND (leased_until IS NULL OR leased_until <= ?)";

/**
 * Leases due rows in the caller's unit of work.
 *
 * @returns the leased rows
 * @throws RowChangedError when another process leased one of them meanwhile
 */
export async function leaseDue(database: Database, limit: number, now: number, until: number): Promise<Row[]> {
  const rows = await database.read(
    `SELECT * FROM notification WHERE ${IS_DUE} ORDER BY next_attempt_at, id LIMIT ?${database.dialect.skipLocked}`,
    [now, now, limit],
  );
  const ids = rows.map((row) => Number(row.id));
  if (ids.length === 0) return [];
  const { affected } = await database.write(
    `UPDATE notification SET leased_until = ? WHERE id IN (${placeholders(ids)}) AND ${IS_DUE}`,
    [until, ...ids, now, now],
  );
  requireUnchanged(affected, ids.length);
  return rows;
}

export async function readNextDueAt(database: Database): Promise<Date | null> {
  const dueAt = database.dialect.greatest('next_attempt_at', 'COALESCE(leased_until, 0)');
  const [row] = await database.read(`SELECT MIN(${dueAt}) AS due_at FROM notification WHERE state = 'waiting'`);
  return row === undefined || row.due_at === null ? null : new Date(Number(row.due_at));
}

/** @returns the number of deleted rows */
export async function deleteEnded(database: Database, state: string, before: Date, limit: number): Promise<number> {
  const { affected } = await database.write(
    database.dialect.deleteSome('notification', 'state = ? AND next_attempt_at < ?'),
    [state, before.getTime(), limit],
  );
  return affected;
}
