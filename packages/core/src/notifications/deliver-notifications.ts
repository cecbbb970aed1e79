import { Clock, MINUTE_MS } from '../clock.js';
import { reasonOf } from '../errors.js';
import { type JobCounts, JobQueue } from '../jobs/jobs.js';
import { Meters } from '../meters.js';
import { needs } from '../needs.js';
import { DeliveryLog } from './delivery-log.js';
import { NotificationChannels } from './notification-channel.js';
import { NotificationOutbox, type PendingNotification } from './notification-outbox.js';
import { nextAttemptAt } from './retry-schedule.js';

const ROWS_PER_BATCH = 20;
const LEASE_MS = 5 * MINUTE_MS;
const GONE = 'The receiver responded with 410: it accepts no more notifications';

/**
 * Delivers the due notifications of the outbox, at least once. After a crash between delivery and `markDelivered` a
 * notification is delivered again with the same id.
 */
@needs(NotificationOutbox, NotificationChannels, JobQueue, DeliveryLog, Meters, Clock)
export class DeliverNotifications {
  constructor(
    private readonly outbox: NotificationOutbox,
    private readonly channels: NotificationChannels,
    private readonly jobs: JobQueue,
    private readonly log: DeliveryLog,
    private readonly meters: Meters,
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
      if ((await channel.deliver(pending.notification)) === 'gone') {
        await this.outbox.closeChannel(pending.channel, GONE);
        this.report(pending, GONE, null);
        return false;
      }
    } catch (error) {
      const reason = withoutUrls(reasonOf(error));
      const nextAt = nextAttemptAt(pending.attempts + 1, this.clock.now());
      await this.outbox.markFailed(pending.id, reason, nextAt);
      this.report(pending, reason, nextAt);
      return false;
    }
    await this.outbox.markDelivered(pending.id);
    this.meters.notification(pending.channel, 'delivered');
    return true;
  }

  private report({ channel, notification, attempts }: PendingNotification, reason: string, nextAt: Date | null): void {
    const { id, type } = notification;
    this.log.undelivered({ id, type, channel, reason, attempts: attempts + 1, nextAttemptAt: nextAt });
    this.meters.notification(channel, nextAt === null ? 'dead' : 'retried');
  }
}

/** The path of a URL or its user part may be a secret. */
function withoutUrls(reason: string): string {
  return reason.replaceAll(/(?<![a-z0-9+.-])[a-z0-9+.-]+:\/\/\S+/gi, '(a URL)');
}
