import { createHash } from 'node:crypto';
import type { RelayEvent } from '@mailstead/core/relay-events/relay-event';
import type { EventOutcome, PendingEvent } from '@mailstead/core/relay-events/relay-event-inbox';
import { writeStoredEvent } from '@mailstead/core/relay-events/stored-event';
import { chunksOf } from '../driver/chunks.js';
import { type Database, type Parameter, placeholders, type Row } from '../driver/database.js';
import { requireUnchanged } from '../driver/row-changed-error.js';

/*
 * Plain SQL: at peaks 3,000 and more events arrive each second (`docs/performance.md`), and one statement stores, reads
 * or marks up to 200 of them. `next_attempt_at` is 0 until an attempt fails, and null when no further attempt is made.
 */

/** The ids that `relay_event.provider_id` can store as they are. */
const PLAIN_ID = /^[\x21-\x7e]{1,128}$/;
const PENDING_COLUMNS = 'id, event, attempts, next_attempt_at';

/** @returns the number of events that were new */
export async function storeEvents(
  database: Database,
  events: { event: RelayEvent; requestId: string | null }[],
  at: Date,
): Promise<number> {
  const rows = events.map(({ event, requestId }): Parameter[] => [
    storedId(event.providerId),
    writeStoredEvent(event),
    at.getTime(),
    requestId,
  ]);
  let stored = 0;
  for (const chunk of chunksOf(rows, (row) => row)) {
    const { affected } = await database.write(
      `${database.dialect.insertOrIgnore('relay_event')} (provider_id, event, received_at, request_id) VALUES ${chunk.map(() => '(?, ?, ?, ?)').join(', ')}`,
      chunk.flat(),
    );
    stored += affected;
  }
  return stored;
}

/** Reads and locks due events. */
export async function lockDueEvents(
  database: Database,
  { maxEvents, maxBytes }: { maxEvents: number; maxBytes: number },
  now: Date,
): Promise<PendingEvent[]> {
  const due = await database.read(
    `SELECT id, LENGTH(event) AS size FROM relay_event WHERE processed_at IS NULL AND next_attempt_at <= ?
        ORDER BY next_attempt_at, id LIMIT ?${database.dialect.skipLocked}`,
    [now.getTime(), maxEvents],
  );
  let bytes = 0;
  const ids: number[] = [];
  for (const { id, size } of due) {
    bytes += Number(size);
    if (ids.length > 0 && bytes > maxBytes) break;
    ids.push(Number(id));
  }
  if (ids.length === 0) return [];
  const rows = await database.read(
    `SELECT ${PENDING_COLUMNS} FROM relay_event WHERE id IN (${placeholders(ids)}) ORDER BY id`,
    ids,
  );
  return rows.map(toPending);
}

export async function lockEvent(database: Database, id: number): Promise<PendingEvent | null> {
  const [row] = await database.read(
    `SELECT ${PENDING_COLUMNS} FROM relay_event WHERE id = ? AND processed_at IS NULL${database.dialect.forUpdate}`,
    [id],
  );
  return row === undefined ? null : toPending(row);
}

export async function readStored(database: Database, ids: readonly number[]): Promise<{ id: number; text: string }[]> {
  const found: { id: number; text: string }[] = [];
  for (const chunk of chunksOf([...ids])) {
    const rows = await database.read(
      `SELECT id, event FROM relay_event WHERE id IN (${placeholders(chunk)}) ORDER BY id`,
      chunk,
    );
    found.push(...rows.map(({ id, event }) => ({ id: Number(id), text: String(event) })));
  }
  return found;
}

/** Marks effects as counted. @returns the keys that were not counted before */
export async function claimEffects(database: Database, effects: { key: string }[], at: Date): Promise<Set<string>> {
  const byHash = new Map(effects.map(({ key }) => [hash(key), key]));
  const claimed = new Set<string>();
  for (const hashes of chunksOf([...byHash.keys()].sort(), (each) => [each, at.getTime()])) {
    const known = await database.read<{ effect_hash: string }>(
      `SELECT effect_hash FROM relay_effect WHERE effect_hash IN (${placeholders(hashes)})`,
      hashes,
    );
    const old = new Set(known.map((row) => row.effect_hash));
    const fresh = hashes.filter((each) => !old.has(each));
    if (fresh.length === 0) continue;
    // A plain INSERT: if another worker counts the same effect now, this transaction fails, and its retry finds the
    // row.
    await database.write(
      `INSERT INTO relay_effect (effect_hash, counted_at) VALUES ${fresh.map(() => '(?, ?)').join(', ')}`,
      fresh.flatMap((each) => [each, at.getTime()]),
    );
    for (const each of fresh) claimed.add(byHash.get(each) ?? '');
  }
  return claimed;
}

/** @throws RowChangedError when another process processed one of them meanwhile */
export async function markEventsProcessed(
  database: Database,
  ids: number[],
  outcome: EventOutcome,
  at: Date,
): Promise<void> {
  for (const chunk of chunksOf(ids)) {
    const { affected } = await database.write(
      `UPDATE relay_event SET processed_at = ?, outcome = ? WHERE id IN (${placeholders(chunk)}) AND processed_at IS NULL`,
      [at.getTime(), outcome, ...chunk],
    );
    requireUnchanged(affected, chunk.length);
  }
}

/** Deletes events that are processed or set aside. @returns the number of deleted rows */
export async function deleteOldEvents(database: Database, before: Date, limit: number): Promise<number> {
  const { affected } = await database.write(
    `DELETE FROM relay_event WHERE id IN (SELECT id FROM (
       SELECT id FROM relay_event WHERE received_at < ? AND (processed_at IS NOT NULL OR next_attempt_at IS NULL) LIMIT ?) AS old)`,
    [before.getTime(), limit],
  );
  return affected;
}

/** @returns the number of deleted rows */
export async function deleteOldEffects(database: Database, before: Date, limit: number): Promise<number> {
  const { affected } = await database.write(
    'DELETE FROM relay_effect WHERE effect_hash IN (SELECT effect_hash FROM (SELECT effect_hash FROM relay_effect WHERE counted_at < ? LIMIT ?) AS old)',
    [before.getTime(), limit],
  );
  return affected;
}

function toPending(row: Row): PendingEvent {
  return {
    id: Number(row.id),
    stored: String(row.event),
    attempts: Number(row.attempts),
    hasFailed: Number(row.next_attempt_at) > 0,
  };
}

/**
 * Hashes an id that the column cannot store. An insert that ignores errors would truncate a longer id and replace
 * non-ASCII characters, so that two ids could become equal.
 */
function storedId(providerId: string): string {
  return PLAIN_ID.test(providerId) ? providerId : hash(providerId);
}

function hash(key: string): string {
  return createHash('sha256').update(key).digest('hex');
}
