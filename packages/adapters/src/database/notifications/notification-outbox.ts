import { randomUUID } from 'node:crypto';
import type { JobQueue } from '@mailstead/core/jobs/jobs';
import { needs } from '@mailstead/core/needs';
import type { NotificationType } from '@mailstead/core/notifications/notification-channel';
import {
  NotificationOutbox,
  type OutboxBacklog,
  type PendingNotification,
  type UndeliveredNotification,
} from '@mailstead/core/notifications/notification-outbox';
import { type NotifiedDomain, Notifier } from '@mailstead/core/notifications/notifier';
import { UnitOfWork } from '@mailstead/core/unit-of-work';
import { EntitySchema, type FindOptionsWhere, LessThanOrEqual, MoreThan } from 'typeorm';
import type { ColumnsOf } from '../driver/columns-of.js';
import { Database, type Row } from '../driver/database.js';
import { Columns, type Dialect } from '../driver/dialect.js';
import { deleteEnded, leaseDue, readNextDueAt } from './notification-statements.js';

const MAX_REASON = 500;

/** One notification for one channel. */
class NotificationRow {
  id!: number;
  /** The rows of all channels have the same id. */
  notificationId!: string;
  channel!: string;
  type!: NotificationType;
  at!: Date;
  data!: object;
  state!: 'waiting' | 'delivered' | 'dead';
  attempts!: number;
  nextAttemptAt!: Date;
  leasedUntil!: Date | null;
  reason!: string | null;
}

export function notificationSchema(dialect: Dialect): EntitySchema<NotificationRow> {
  const columns = new Columns(dialect);
  return new EntitySchema<NotificationRow>({
    name: 'NotificationRow',
    target: NotificationRow,
    tableName: 'notification',
    columns: {
      id: columns.id(),
      notificationId: columns.exact(64, { name: 'notification_id' }),
      channel: columns.exact(16),
      type: columns.exact(40),
      at: columns.time({ name: 'happened_at' }),
      data: columns.json(),
      state: columns.exact(10),
      attempts: columns.integer(),
      nextAttemptAt: columns.time({ name: 'next_attempt_at' }),
      leasedUntil: columns.time({ name: 'leased_until', nullable: true }),
      reason: columns.text(MAX_REASON, { nullable: true }),
    } satisfies ColumnsOf<NotificationRow>,
    uniques: [{ name: 'uq_notification', columns: ['notificationId', 'channel'] }],
    indices: [{ name: 'ix_notification_due', columns: ['state', 'nextAttemptAt'] }],
  });
}

/** Inserts one outbox row for each configured channel, in the caller's unit of work. */
export class TypeormNotifier extends Notifier {
  constructor(
    private readonly database: Database,
    private readonly jobs: JobQueue,
    private readonly channels: { names: string[] },
  ) {
    super();
  }

  override async notify(
    type: NotificationType,
    about: NotifiedDomain | null,
    at: Date,
    data: Record<string, unknown> = {},
  ): Promise<void> {
    if (this.channels.names.length === 0) return;
    const notificationId = randomUUID();
    const subject = about === null ? {} : { domain: about.name, partner_ref: about.partnerRef };
    await this.database.manager.insert<NotificationRow>(
      NotificationRow,
      this.channels.names.map((channel) => ({
        notificationId,
        channel,
        type,
        at,
        data: { ...subject, ...data },
        state: 'waiting',
        attempts: 0,
        nextAttemptAt: at,
      })),
    );
    await this.jobs.enqueue('notifications.deliver', {}, { key: 'notifications.deliver' });
  }
}

@needs(Database, UnitOfWork)
export class TypeormNotificationOutbox extends NotificationOutbox {
  constructor(
    private readonly database: Database,
    private readonly unitOfWork: UnitOfWork,
  ) {
    super();
  }

  override async lease(limit: number, now: Date, leaseMs: number): Promise<PendingNotification[]> {
    const rows = await this.unitOfWork.run(() =>
      leaseDue(this.database, limit, now.getTime(), now.getTime() + leaseMs),
    );
    return rows.map(toPending);
  }

  override nextDueAt(): Promise<Date | null> {
    return readNextDueAt(this.database);
  }

  override async markDelivered(id: number): Promise<void> {
    await this.database.manager.update(
      NotificationRow,
      { id },
      { state: 'delivered', leasedUntil: null, attempts: oneMore },
    );
  }

  override async markFailed(id: number, reason: string, nextAttemptAt: Date | null): Promise<void> {
    const failed = { leasedUntil: null, attempts: oneMore, reason: reason.slice(0, MAX_REASON) };
    // Does not change a notification that another process delivered after this lease ended.
    await this.database.manager.update(
      NotificationRow,
      { id, state: 'waiting' },
      nextAttemptAt === null ? { ...failed, state: 'dead' } : { ...failed, nextAttemptAt },
    );
  }

  override async closeChannel(channel: string, reason: string): Promise<void> {
    await this.database.manager.update(
      NotificationRow,
      { channel, state: 'waiting' },
      { state: 'dead', leasedUntil: null, reason },
    );
  }

  override async undelivered(limit: number): Promise<UndeliveredNotification[]> {
    // Each of the two queries reads one range of the index.
    const newest = (where: FindOptionsWhere<NotificationRow>) =>
      this.database.manager.find(NotificationRow, { where, order: { nextAttemptAt: 'DESC', id: 'DESC' }, take: limit });
    const rows = [...(await newest(FAILING)), ...(await newest({ state: 'dead' }))];
    return rows
      .map(({ id, channel, type, reason, attempts, at, state, nextAttemptAt }) => ({
        id,
        channel,
        type,
        reason: reason ?? '',
        attempts,
        happenedAt: at,
        nextAttemptAt: state === 'dead' ? null : nextAttemptAt,
      }))
      .sort((left, right) => right.id - left.id)
      .slice(0, limit);
  }

  override async hasUndelivered({ failingSince, deadAfter }: { failingSince: Date; deadAfter: Date }) {
    const { manager } = this.database;
    return (
      (await manager.existsBy(NotificationRow, { ...FAILING, at: LessThanOrEqual(failingSince) })) ||
      (await manager.existsBy(NotificationRow, { state: 'dead', nextAttemptAt: MoreThan(deadAfter) }))
    );
  }

  override async backlog(): Promise<OutboxBacklog> {
    const { manager } = this.database;
    const retried = await manager.countBy(NotificationRow, FAILING);
    const waiting = (await manager.countBy(NotificationRow, { state: 'waiting' })) - retried;
    return { waiting, retried, dead: await manager.countBy(NotificationRow, { state: 'dead' }) };
  }

  override deleteEnded(state: 'delivered' | 'dead', before: Date, limit: number): Promise<number> {
    return deleteEnded(this.database, state, before, limit);
  }
}

/** Failed at least once, and tried again. */
const FAILING: FindOptionsWhere<NotificationRow> = { state: 'waiting', attempts: MoreThan(0) };

function oneMore(): string {
  return 'attempts + 1';
}

function toPending(row: Row): PendingNotification {
  return {
    id: Number(row.id),
    channel: String(row.channel),
    attempts: Number(row.attempts),
    notification: {
      id: String(row.notification_id),
      type: row.type as NotificationType,
      at: new Date(Number(row.happened_at)),
      data: JSON.parse(String(row.data)) as Record<string, unknown>,
    },
  };
}
