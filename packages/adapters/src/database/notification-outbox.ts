import { randomUUID } from 'node:crypto';
import type { NotificationType } from '@mailstead/core/notifications/notification-channel';
import { type NotifiedDomain, Notifier } from '@mailstead/core/notifications/notifier';
import type { Database } from './database.js';

/** Writes one outbox row for each configured channel, in the transaction of the change. */
export class TypeormNotifier extends Notifier {
  constructor(
    private readonly database: Database,
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
  }
}
