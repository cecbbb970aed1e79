import { randomUUID } from 'node:crypto';
import type { JobQueue } from '@mailstead/core/jobs/jobs';
import type { NotificationType } from '@mailstead/core/notifications/notification-channel';
import {
  type DeadNotification,
  NotificationOutbox,
  type PendingNotification,
} from '@mailstead/core/notifications/notification-outbox';
import { type NotifiedDomain, Notifier } from '@mailstead/core/notifications/notifier';
import type { UnitOfWork } from '@mailstead/core/unit-of-work';
import { type Database, placeholders, type Row, textOrNull } from './driver/database.js';
import { requireUnchanged } from './driver/row-changed-error.js';

/** Takes the time twice. */
const IS_DUE = "state = 'waiting' AND next_attempt_at <= ? AND (leased_until IS NULL OR leased_until <= ?)";

/** Writes one outbox row for each configured channel, in the transaction of the change. */
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
    const id = randomUUID();
    const subject = about === null ? {} : { domain: about.name, partner_ref: about.partnerRef };
    for (const channel of this.channels.names) {
      await this.database.write(
        `INSERT INTO notification (notification_id, channel, type, happened_at, data, state, attempts, next_attempt_at)
         VALUES (?, ?, ?, ?, ?, 'waiting', 0, ?)`,
        [id, channel, type, at.getTime(), JSON.stringify({ ...subject, ...data }), at.getTime()],
      );
    }
    if (this.channels.names.length > 0)
      await this.jobs.enqueue('notifications.deliver', {}, { key: 'notifications.deliver' });
  }
}

export class TypeormNotificationOutbox extends NotificationOutbox {
  constructor(
    private readonly database: Database,
    private readonly unitOfWork: UnitOfWork,
  ) {
    super();
  }

  override lease(limit: number, now: Date, leaseMs: number): Promise<PendingNotification[]> {
    const at = [now.getTime(), now.getTime()];
    return this.unitOfWork.run(async () => {
      const rows = await this.database.read(
        `SELECT * FROM notification WHERE ${IS_DUE} ORDER BY next_attempt_at, id LIMIT ?${this.database.dialect.skipLocked}`,
        [...at, limit],
      );
      const ids = rows.map((row) => Number(row.id));
      if (ids.length === 0) return [];
      const { affected } = await this.database.write(
        `UPDATE notification SET leased_until = ? WHERE id IN (${placeholders(ids)}) AND ${IS_DUE}`,
        [now.getTime() + leaseMs, ...ids, ...at],
      );
      requireUnchanged(affected, ids.length);
      return rows.map(toPending);
    });
  }

  override async nextDueAt(): Promise<Date | null> {
    const dueAt = this.database.dialect.greatest('next_attempt_at', 'COALESCE(leased_until, 0)');
    const [row] = await this.database.read(`SELECT MIN(${dueAt}) AS due_at FROM notification WHERE state = 'waiting'`);
    return row === undefined || row.due_at === null ? null : new Date(Number(row.due_at));
  }

  override async markDelivered(id: number): Promise<void> {
    await this.database.write(
      "UPDATE notification SET state = 'delivered', leased_until = NULL, attempts = attempts + 1 WHERE id = ?",
      [id],
    );
  }

  override async markFailed(id: number, reason: string, nextAttemptAt: Date | null): Promise<void> {
    await this.database.write(
      `UPDATE notification SET state = ?, leased_until = NULL, attempts = attempts + 1, reason = ?${nextAttemptAt === null ? '' : ', next_attempt_at = ?'} WHERE id = ? AND state = 'waiting'`,
      [
        nextAttemptAt === null ? 'dead' : 'waiting',
        reason.slice(0, 500),
        ...(nextAttemptAt === null ? [] : [nextAttemptAt.getTime()]),
        id,
      ],
    );
  }

  override async closeChannel(channel: string, reason: string): Promise<void> {
    await this.database.write(
      "UPDATE notification SET state = 'dead', leased_until = NULL, reason = ? WHERE channel = ? AND state = 'waiting'",
      [reason, channel],
    );
  }

  override async dead(limit: number): Promise<DeadNotification[]> {
    const rows = await this.database.read(
      "SELECT id, channel, type, reason, attempts, happened_at FROM notification WHERE state = 'dead' ORDER BY id DESC LIMIT ?",
      [limit],
    );
    return rows.map((row) => ({
      id: Number(row.id),
      channel: String(row.channel),
      type: row.type as NotificationType,
      reason: textOrNull(row.reason) ?? '',
      attempts: Number(row.attempts),
      happenedAt: new Date(Number(row.happened_at)),
    }));
  }

  override async deleteDelivered(before: Date, limit: number): Promise<number> {
    const { affected } = await this.database.write(
      "DELETE FROM notification WHERE id IN (SELECT id FROM (SELECT id FROM notification WHERE state = 'delivered' AND happened_at < ? LIMIT ?) AS old)",
      [before.getTime(), limit],
    );
    return affected;
  }
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
