import { type Clock, MINUTE_MS } from '../clock.js';
import { reasonOf } from '../errors.js';
import type { JobCounts, JobQueue } from '../jobs/jobs.js';
import type { NotificationChannel } from './notification-channel.js';
import type { NotificationOutbox, PendingNotification } from './notification-outbox.js';
import { nextAttemptAt } from './retry-schedule.js';

const ROWS_PER_BATCH = 20;
const LEASE_MS = 5 * MINUTE_MS;

/**
 * Delivers the due notifications of the outbox, at least once. After a crash between delivery and `markDelivered` a
 * notification is delivered again with the same id.
 */
export class DeliverNotifications {
  constructor(
    private readonly outbox: NotificationOutbox,
    private readonly channels: readonly NotificationChannel[],
    private readonly jobs: JobQueue,
    private readonly clock: Clock,
  ) {}

  async execute(): Promise<JobCounts> {
    const counts = { delivered: 0, failed: 0 };
    for (;;) {
      const due = await this.outbox.lease(ROWS_PER_BATCH, this.clock.now(), LEASE_MS);
      const outcomes = await Promise.all(due.map((pending) => this.deliver(pending)));
      for (const delivered of outcomes) counts[delivered ? 'delivered' : 'failed'] += 1;
      if (due.length < ROWS_PER_BATCH) break;
    }
    await this.enqueueNext();
    return counts;
  }

  /** Enqueues the job again, for the time when the next row is due or the lease of another process ends. */
  private async enqueueNext(): Promise<void> {
    const runAt = await this.outbox.nextDueAt();
    if (runAt !== null) await this.jobs.enqueue('notifications.deliver', {}, { key: 'notifications.deliver', runAt });
  }

  private async deliver(pending: PendingNotification): Promise<boolean> {
    const channel = this.channels.find(({ name }) => name === pending.channel);
    try {
      if (channel === undefined) throw new Error(`The channel ${pending.channel} is no longer configured`);
      const outcome = await channel.deliver(pending.notification);
      if (outcome === 'gone')
        await this.outbox.closeChannel(
          pending.channel,
          'The receiver responded with 410: it accepts no more notifications',
        );
      else await this.outbox.markDelivered(pending.id);
      return outcome === 'delivered';
    } catch (error) {
      const reason = reasonOf(error);
      await this.outbox.markFailed(pending.id, reason, nextAttemptAt(pending.attempts + 1, this.clock.now()));
      return false;
    }
  }
}
