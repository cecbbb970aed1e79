import type { DomainName } from '@mailstead/core/domains/domain-name';
import type { Page } from '@mailstead/core/page';
import { chunksOf } from '../driver/chunks.js';
import { type Database, placeholders } from '../driver/database.js';

/*
 * Plain SQL for the domains that wait for something: daily jobs read a few of very many domains by an index of times
 * (`hot-queries.test.ts`). `id + 0` keeps the databases from reading the
 * whole table in the order of its primary key.
 */

/** Domains with a reminder of a lowered retention that is due. */
export async function withRetentionReminder(
  database: Database,
  now: Date,
  { after, limit }: Page,
): Promise<{ id: number }[]> {
  const rows = await database.read(
    'SELECT id FROM domain WHERE retention_reminder_at <= ? AND id + 0 > ? ORDER BY id + 0 LIMIT ?',
    [now.getTime(), after, limit],
  );
  return rows.map((row) => ({ id: Number(row.id) }));
}

/** Domains that wait for their first opening; see `DomainRepository.neverOpen`. */
export async function neverOpen(
  database: Database,
  since: Date,
  notifiedUntil: Date | null,
  { after, limit }: Page,
): Promise<{ id: number; name: DomainName }[]> {
  const rows = await database.read(
    `SELECT id, name FROM domain WHERE pending_since <= ? AND inbound = 'pending' AND billing_ref IS NULL AND id + 0 > ?
        AND ${notifiedUntil === null ? 'expiry_notified_at IS NULL' : 'expiry_notified_at <= ?'} ORDER BY id + 0 LIMIT ?`,
    [since.getTime(), after, ...(notifiedUntil === null ? [] : [notifiedUntil.getTime()]), limit],
  );
  return rows.map((row) => ({ id: Number(row.id), name: row.name as DomainName }));
}

/** Opens the children that wait for their first opening and need not prove their ownership. */
export async function openPendingChildren(database: Database, parentId: number): Promise<void> {
  const { dialect } = database;
  const rows = await database.read(
    `SELECT d.id FROM domain d${dialect.byIndex('ix_domain_parent')} WHERE d.parent_id = ? AND d.inbound = 'pending' AND d.pending_since IS NOT NULL
        AND d.id IN (SELECT domain_id FROM verification WHERE ownership_required = 0 OR ownership_seen_at IS NOT NULL)${dialect.forUpdate}`,
    [parentId],
  );
  for (const ids of chunksOf(rows.map(({ id }) => Number(id)))) {
    await database.write(
      `UPDATE domain SET inbound = 'open', pending_since = NULL, expiry_notified_at = NULL WHERE id IN (${placeholders(ids)})`,
      ids,
    );
  }
}
