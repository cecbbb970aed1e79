import { createHash } from 'node:crypto';
import type { RelayEvent } from '@mailstead/core/relay-events/relay-event';
import { type EventOutcome, type PendingEvent, RelayEventInbox } from '@mailstead/core/relay-events/relay-event-inbox';
import { type Database, placeholders, textOrNull } from './database.js';

/** The width of `relay_event.provider_id`. */
const MAX_PROVIDER_ID = 128;

export class TypeormRelayEventInbox extends RelayEventInbox {
  constructor(private readonly database: Database) {
    super();
  }

  override async store(events: { event: RelayEvent; requestId: string | null }[], at: Date): Promise<number> {
    const { affected } = await this.database.write(
      `${this.insertIgnore} relay_event (provider_id, event, received_at, request_id) VALUES ${events.map(() => '(?, ?, ?, ?)').join(', ')}`,
      events.flatMap(({ event, requestId }) => [
        storedId(event.providerId),
        JSON.stringify(event),
        at.getTime(),
        requestId,
      ]),
    );
    return affected;
  }

  override async lockPending(limit: number): Promise<PendingEvent[]> {
    const skip = this.database.dialect === 'mysql' ? ' FOR UPDATE SKIP LOCKED' : '';
    const rows = await this.database.read(
      `SELECT id, event, request_id FROM relay_event WHERE processed_at IS NULL ORDER BY id LIMIT ?${skip}`,
      [limit],
    );
    return rows.map((row) => ({
      id: Number(row.id),
      event: revive(String(row.event)),
      requestId: textOrNull(row.request_id),
    }));
  }

  override async claimEffects(effects: { key: string }[], at: Date): Promise<Set<string>> {
    const byHash = new Map(effects.map(({ key }) => [hash(key), key]));
    const hashes = [...byHash.keys()].sort();
    const known = await this.database.read<{ effect_hash: string }>(
      `SELECT effect_hash FROM relay_effect WHERE effect_hash IN (${placeholders(hashes)})`,
      hashes,
    );
    const old = new Set(known.map((row) => row.effect_hash));
    const fresh = hashes.filter((each) => !old.has(each));
    if (fresh.length > 0) {
      // Not ignored: if another worker counted one at this moment, this transaction runs again and sees it.
      await this.database.write(
        `INSERT INTO relay_effect (effect_hash, counted_at) VALUES ${fresh.map(() => '(?, ?)').join(', ')}`,
        fresh.flatMap((each) => [each, at.getTime()]),
      );
    }
    return new Set(fresh.map((each) => byHash.get(each) ?? ''));
  }

  override async markProcessed(ids: number[], outcome: EventOutcome, at: Date): Promise<void> {
    if (ids.length === 0) return;
    await this.database.write(
      `UPDATE relay_event SET processed_at = ?, outcome = ? WHERE id IN (${placeholders(ids)})`,
      [at.getTime(), outcome, ...ids],
    );
  }

  override async deleteOld(before: Date, limit: number): Promise<number> {
    const events = await this.database.write(
      'DELETE FROM relay_event WHERE id IN (SELECT id FROM (SELECT id FROM relay_event WHERE received_at < ? AND processed_at IS NOT NULL LIMIT ?) AS old)',
      [before.getTime(), limit],
    );
    const effects = await this.database.write(
      'DELETE FROM relay_effect WHERE effect_hash IN (SELECT effect_hash FROM (SELECT effect_hash FROM relay_effect WHERE counted_at < ? LIMIT ?) AS old)',
      [before.getTime(), limit],
    );
    return events.affected + effects.affected;
  }

  private get insertIgnore(): string {
    return this.database.dialect === 'mysql' ? 'INSERT IGNORE INTO' : 'INSERT OR IGNORE INTO';
  }
}

function revive(text: string): RelayEvent {
  const event = JSON.parse(text) as RelayEvent;
  return { ...event, sentAt: new Date(event.sentAt), occurredAt: new Date(event.occurredAt) };
}

/** A longer id would be cut off by an insert that ignores errors, and then be taken for another that begins like it. */
function storedId(providerId: string): string {
  return providerId.length > MAX_PROVIDER_ID ? hash(providerId) : providerId;
}

function hash(key: string): string {
  return createHash('sha256').update(key).digest('hex');
}
