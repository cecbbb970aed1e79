import { createHash } from 'node:crypto';
import type { RelayEvent } from '@mailstead/core/relay-events/relay-event';
import {
  type EventOutcome,
  type FailedEvent,
  type InboxBacklog,
  type PendingEvent,
  RelayEventInbox,
} from '@mailstead/core/relay-events/relay-event-inbox';
import { writeStoredEvent } from '@mailstead/core/relay-events/stored-event';
import { chunksOf } from './driver/chunks.js';
import { type Database, type Parameter, placeholders, type Row, textOrNull } from './driver/database.js';
import { requireUnchanged } from './driver/row-changed-error.js';

const MAX_REASON = 500;
/** What `relay_event.provider_id` holds. */
const PLAIN_ID = /^[\x21-\x7e]{1,128}$/;
const PENDING_COLUMNS = 'id, event, attempts, next_attempt_at';

/** `next_attempt_at` is 0 until an attempt fails, and null when no other is made. */
export class TypeormRelayEventInbox extends RelayEventInbox {
  constructor(private readonly database: Database) {
    super();
  }

  override async store(events: { event: RelayEvent; requestId: string | null }[], at: Date): Promise<number> {
    const rows = events.map(({ event, requestId }): Parameter[] => [
      storedId(event.providerId),
      writeStoredEvent(event),
      at.getTime(),
      requestId,
    ]);
    let stored = 0;
    for (const chunk of chunksOf(rows, (row) => row)) {
      const { affected } = await this.database.write(
        `${this.database.dialect.insertOrIgnore('relay_event')} (provider_id, event, received_at, request_id) VALUES ${chunk.map(() => '(?, ?, ?, ?)').join(', ')}`,
        chunk.flat(),
      );
      stored += affected;
    }
    return stored;
  }

  override async lockPending(
    { maxEvents, maxBytes }: { maxEvents: number; maxBytes: number },
    now: Date,
  ): Promise<PendingEvent[]> {
    const due = await this.database.read(
      `SELECT id, LENGTH(event) AS size FROM relay_event WHERE processed_at IS NULL AND next_attempt_at <= ?
        ORDER BY next_attempt_at, id LIMIT ?${this.database.dialect.skipLocked}`,
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
    const rows = await this.database.read(
      `SELECT ${PENDING_COLUMNS} FROM relay_event WHERE id IN (${placeholders(ids)}) ORDER BY id`,
      ids,
    );
    return rows.map(toPending);
  }

  override async lock(id: number): Promise<PendingEvent | null> {
    const [row] = await this.database.read(
      `SELECT ${PENDING_COLUMNS} FROM relay_event WHERE id = ? AND processed_at IS NULL${this.database.forUpdate}`,
      [id],
    );
    return row === undefined ? null : toPending(row);
  }

  override async claimEffects(effects: { key: string }[], at: Date): Promise<Set<string>> {
    const byHash = new Map(effects.map(({ key }) => [hash(key), key]));
    const claimed = new Set<string>();
    for (const hashes of chunksOf([...byHash.keys()].sort(), (each) => [each, at.getTime()])) {
      const known = await this.database.read<{ effect_hash: string }>(
        `SELECT effect_hash FROM relay_effect WHERE effect_hash IN (${placeholders(hashes)})`,
        hashes,
      );
      const old = new Set(known.map((row) => row.effect_hash));
      const fresh = hashes.filter((each) => !old.has(each));
      if (fresh.length === 0) continue;
      // Not ignored: if another worker counted one at this moment, this transaction fails, and the next one sees it.
      await this.database.write(
        `INSERT INTO relay_effect (effect_hash, counted_at) VALUES ${fresh.map(() => '(?, ?)').join(', ')}`,
        fresh.flatMap((each) => [each, at.getTime()]),
      );
      for (const each of fresh) claimed.add(byHash.get(each) ?? '');
    }
    return claimed;
  }

  override async markProcessed(ids: number[], outcome: EventOutcome, at: Date): Promise<void> {
    for (const chunk of chunksOf(ids)) {
      const { affected } = await this.database.write(
        `UPDATE relay_event SET processed_at = ?, outcome = ? WHERE id IN (${placeholders(chunk)}) AND processed_at IS NULL`,
        [at.getTime(), outcome, ...chunk],
      );
      requireUnchanged(affected, chunk.length);
    }
  }

  override async markFailed(id: number, reason: string, attempts: number, nextAttemptAt: Date | null): Promise<void> {
    await this.database.write(
      'UPDATE relay_event SET attempts = ?, reason = ?, next_attempt_at = ? WHERE id = ? AND processed_at IS NULL',
      [attempts, storedReason(reason), nextAttemptAt?.getTime() ?? null, id],
    );
  }

  override async nextRetryAt(now: Date): Promise<Date | null> {
    const [row] = await this.database.read(
      'SELECT MIN(next_attempt_at) AS due_at FROM relay_event WHERE processed_at IS NULL AND next_attempt_at > ?',
      [now.getTime()],
    );
    const dueAt = row?.due_at ?? null;
    return dueAt === null ? null : new Date(Number(dueAt));
  }

  override async failed(limit: number): Promise<FailedEvent[]> {
    const columns = 'id, provider_id, reason, attempts, received_at, next_attempt_at';
    const newest = async (condition: string) =>
      this.database.read(
        `SELECT ${columns} FROM relay_event WHERE processed_at IS NULL AND ${condition} ORDER BY id DESC LIMIT ?`,
        [limit],
      );
    const rows = [...(await newest('next_attempt_at IS NULL')), ...(await newest('next_attempt_at > 0'))];
    return rows
      .map(toFailed)
      .sort((left, right) => right.id - left.id)
      .slice(0, limit);
  }

  override async retryFailed(now: Date): Promise<number> {
    const { affected } = await this.database.write(
      'UPDATE relay_event SET attempts = 0, next_attempt_at = ? WHERE processed_at IS NULL AND (next_attempt_at IS NULL OR next_attempt_at > 0)',
      [now.getTime()],
    );
    return affected;
  }

  override async backlog(): Promise<InboxBacklog> {
    const [row] = await this.database.read(
      `SELECT COALESCE(SUM(next_attempt_at = 0), 0) AS waiting, COALESCE(SUM(next_attempt_at > 0), 0) AS retried,
              COALESCE(SUM(next_attempt_at IS NULL), 0) AS set_aside
         FROM relay_event WHERE processed_at IS NULL`,
    );
    return { waiting: Number(row?.waiting), retried: Number(row?.retried), setAside: Number(row?.set_aside) };
  }

  override async deleteOld(before: Date, limit: number): Promise<number> {
    const events = await this.database.write(
      `DELETE FROM relay_event WHERE id IN (SELECT id FROM (
         SELECT id FROM relay_event WHERE received_at < ? AND (processed_at IS NOT NULL OR next_attempt_at IS NULL) LIMIT ?) AS old)`,
      [before.getTime(), limit],
    );
    const effects = await this.database.write(
      'DELETE FROM relay_effect WHERE effect_hash IN (SELECT effect_hash FROM (SELECT effect_hash FROM relay_effect WHERE counted_at < ? LIMIT ?) AS old)',
      [before.getTime(), limit],
    );
    return events.affected + effects.affected;
  }
}

function toPending(row: Row): PendingEvent {
  return {
    id: Number(row.id),
    stored: String(row.event),
    attempts: Number(row.attempts),
    hasFailed: Number(row.next_attempt_at) > 0,
  };
}

function toFailed(row: Row): FailedEvent {
  return {
    id: Number(row.id),
    providerId: String(row.provider_id),
    reason: textOrNull(row.reason) ?? '',
    attempts: Number(row.attempts),
    receivedAt: new Date(Number(row.received_at)),
    nextAttemptAt: row.next_attempt_at === null ? null : new Date(Number(row.next_attempt_at)),
  };
}

/**
 * A longer id would be cut off by an insert that ignores errors, and characters beyond ASCII replaced; it would then be
 * taken for another id.
 */
function storedId(providerId: string): string {
  return PLAIN_ID.test(providerId) ? providerId : hash(providerId);
}

/** An error's text may quote the data that caused it: no control characters. */
function storedReason(reason: string): string {
  return reason.replaceAll(/\p{Cc}/gu, ' ').slice(0, MAX_REASON);
}

function hash(key: string): string {
  return createHash('sha256').update(key).digest('hex');
}
