import { needs } from '@mailstead/core/needs';
import type { RelayEvent } from '@mailstead/core/relay-events/relay-event';
import {
  type EventOutcome,
  type FailedEvent,
  type InboxBacklog,
  type PendingEvent,
  RelayEventInbox,
} from '@mailstead/core/relay-events/relay-event-inbox';
import { EntitySchema, IsNull } from 'typeorm';
import type { ColumnsOf } from '../driver/columns-of.js';
import { Database } from '../driver/database.js';
import { Columns, type Dialect } from '../driver/dialect.js';
import { rowTable } from '../driver/row-table.js';
import {
  claimEffects,
  deleteOldEffects,
  deleteOldEvents,
  lockDueEvents,
  lockEvent,
  markEventsProcessed,
  readStored,
  storeEvents,
} from './relay-event-statements.js';

const MAX_REASON = 500;

/** An event as it was received. */
class RelayEventRow {
  id!: number;
  providerId!: string;
  event!: string;
  receivedAt!: Date;
  processedAt!: Date | null;
  outcome!: EventOutcome | null;
  requestId!: string | null;
  attempts!: number;
  /** 1970 until an attempt fails; null when the event is set aside. */
  nextAttemptAt!: Date | null;
  reason!: string | null;
}

export function relayEventSchemas(dialect: Dialect): EntitySchema<object>[] {
  const columns = new Columns(dialect);
  return [
    new EntitySchema<RelayEventRow>({
      name: 'RelayEventRow',
      target: RelayEventRow,
      tableName: 'relay_event',
      columns: {
        id: columns.id(),
        providerId: columns.exact(128, { name: 'provider_id' }),
        event: columns.document({ select: false }),
        receivedAt: columns.time({ name: 'received_at' }),
        processedAt: columns.time({ name: 'processed_at', nullable: true }),
        outcome: columns.exact(32, { nullable: true }),
        requestId: columns.exact(128, { name: 'request_id', nullable: true }),
        attempts: columns.integer({ default: 0 }),
        nextAttemptAt: columns.time({ name: 'next_attempt_at', nullable: true, default: 0 }),
        reason: columns.text(MAX_REASON, { nullable: true }),
      } satisfies ColumnsOf<RelayEventRow>,
      uniques: [{ name: 'uq_relay_event_provider_id', columns: ['providerId'] }],
      indices: [
        { name: 'ix_relay_event_due', columns: ['processedAt', 'nextAttemptAt', 'id'] },
        { name: 'ix_relay_event_received', columns: ['receivedAt'] },
      ],
    }),
    // One row for each message, recipient and kind, so that a bounce that is reported several times counts once.
    rowTable('RelayEffectRow', 'relay_effect', {
      columns: {
        effectHash: columns.exact(64, { name: 'effect_hash', primary: true }),
        countedAt: columns.time({ name: 'counted_at' }),
      },
      indices: [{ name: 'ix_relay_effect_counted', columns: ['countedAt'] }],
    }),
  ];
}

@needs(Database)
export class TypeormRelayEventInbox extends RelayEventInbox {
  constructor(private readonly database: Database) {
    super();
  }

  override store(events: { event: RelayEvent; requestId: string | null }[], at: Date): Promise<number> {
    return storeEvents(this.database, events, at);
  }

  override lockPending(limits: { maxEvents: number; maxBytes: number }, now: Date): Promise<PendingEvent[]> {
    return lockDueEvents(this.database, limits, now);
  }

  override lock(id: number): Promise<PendingEvent | null> {
    return lockEvent(this.database, id);
  }

  override storedOf(ids: readonly number[]): Promise<{ id: number; text: string }[]> {
    return readStored(this.database, ids);
  }

  override claimEffects(effects: { key: string }[], at: Date): Promise<Set<string>> {
    return claimEffects(this.database, effects, at);
  }

  override markProcessed(ids: number[], outcome: EventOutcome, at: Date): Promise<void> {
    return markEventsProcessed(this.database, ids, outcome, at);
  }

  override async markFailed(id: number, reason: string, attempts: number, nextAttemptAt: Date | null): Promise<void> {
    await this.database.manager.update(
      RelayEventRow,
      { id, processedAt: IsNull() },
      { attempts, reason: storedReason(reason), nextAttemptAt },
    );
  }

  override async nextRetryAt(now: Date): Promise<Date | null> {
    const next = await this.unprocessed()
      .select('MIN(e.nextAttemptAt)', 'dueAt')
      .andWhere('e.nextAttemptAt > :now', { now: now.getTime() })
      .getRawOne<{ dueAt: unknown }>();
    const dueAt = next?.dueAt ?? null;
    return dueAt === null ? null : new Date(Number(dueAt));
  }

  override async failed(limit: number): Promise<FailedEvent[]> {
    const newest = (condition: string) =>
      this.unprocessed().andWhere(condition).orderBy('e.id', 'DESC').limit(limit).getMany();
    // Each of the two queries reads one range of the index.
    const rows = [...(await newest('e.nextAttemptAt IS NULL')), ...(await newest('e.nextAttemptAt > 0'))];
    return rows
      .map(toFailed)
      .sort((left, right) => right.id - left.id)
      .slice(0, limit);
  }

  override async retryFailed(now: Date): Promise<number> {
    const { affected } = await this.database.manager
      .createQueryBuilder()
      .update(RelayEventRow)
      .set({ attempts: 0, nextAttemptAt: now })
      .where('processedAt IS NULL AND (nextAttemptAt IS NULL OR nextAttemptAt > 0)')
      .execute();
    return affected ?? 0;
  }

  override async backlog(): Promise<InboxBacklog> {
    const row = await this.unprocessed()
      .select('COALESCE(SUM(e.nextAttemptAt = 0), 0)', 'waiting')
      .addSelect('COALESCE(SUM(e.nextAttemptAt > 0), 0)', 'retried')
      .addSelect('COALESCE(SUM(e.nextAttemptAt IS NULL), 0)', 'setAside')
      .getRawOne<Record<keyof InboxBacklog, unknown>>();
    return { waiting: Number(row?.waiting), retried: Number(row?.retried), setAside: Number(row?.setAside) };
  }

  override async deleteOld(before: Date, limit: number): Promise<number> {
    return (
      (await deleteOldEvents(this.database, before, limit)) + (await deleteOldEffects(this.database, before, limit))
    );
  }

  private unprocessed() {
    return this.database.manager.createQueryBuilder(RelayEventRow, 'e').where('e.processedAt IS NULL');
  }
}

function toFailed({ id, providerId, reason, attempts, receivedAt, nextAttemptAt }: RelayEventRow): FailedEvent {
  return { id, providerId, reason: reason ?? '', attempts, receivedAt, nextAttemptAt };
}

/** Replaces control characters, because the text of an error may contain the data that caused it. */
function storedReason(reason: string): string {
  return reason.replaceAll(/\p{Cc}/gu, ' ').slice(0, MAX_REASON);
}
