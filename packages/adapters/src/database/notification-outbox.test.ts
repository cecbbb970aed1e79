import { DeliverNotifications } from '@mailstead/core/notifications/deliver-notifications';
import { type Notification, NotificationChannel } from '@mailstead/core/notifications/notification-channel';
import { FixedClock } from '@mailstead/core/testing/fixed-clock';
import { IdleJobQueue } from '@mailstead/core/testing/idle-job-queue';
import { TypeormUnitOfWork } from './driver/typeorm-unit-of-work.js';
import { TypeormNotificationOutbox, TypeormNotifier } from './notification-outbox.js';
import { onEachDatabase, openTestDatabase, type TestDatabase } from './testing/database-fixture.js';

/** A channel that fails while the test says so. */
class FailingChannel extends NotificationChannel {
  override readonly name = 'webhook';
  readonly taken: Notification[] = [];
  refuses = true;

  override async deliver(notification: Notification) {
    if (this.refuses) throw new Error('The receiver answered 500');
    this.taken.push(notification);
    return 'delivered' as const;
  }
}

onEachDatabase((kind) => {
  let opened: TestDatabase;
  let clock: FixedClock;
  let channel: FailingChannel;
  let jobs: IdleJobQueue;
  let outbox: TypeormNotificationOutbox;
  let deliver: DeliverNotifications;

  beforeAll(async () => {
    opened = await openTestDatabase(kind);
  });
  afterAll(() => opened.close());
  beforeEach(async () => {
    await opened.database.write('DELETE FROM notification');
    clock = new FixedClock();
    channel = new FailingChannel();
    jobs = new IdleJobQueue();
    outbox = new TypeormNotificationOutbox(opened.database, new TypeormUnitOfWork(opened.database));
    deliver = new DeliverNotifications(outbox, [channel], jobs, clock);
    await new TypeormNotifier(opened.database, new IdleJobQueue(), { names: ['webhook'] }).notify(
      'domain.verified',
      { id: 1, name: 'example.com', partnerRef: null },
      clock.now(),
    );
  });

  it('retries a failed notification when its next attempt is due, until it is delivered', async () => {
    expect(await deliver.execute()).toEqual({ delivered: 0, failed: 1 });
    const [again] = jobs.jobs;
    expect(again).toMatchObject({ name: 'notifications.deliver' });
    clock.set(again?.options.runAt ?? new Date(0));
    channel.refuses = false;
    expect(await deliver.execute()).toEqual({ delivered: 1, failed: 0 });
    expect(channel.taken.map(({ type }) => type)).toEqual(['domain.verified']);
    expect(jobs.jobs).toHaveLength(1);
  });

  it('delivers the notifications of a killed process when their lease ends', async () => {
    await outbox.lease(10, clock.now(), 60_000);
    channel.refuses = false;
    expect(await deliver.execute()).toEqual({ delivered: 0, failed: 0 });
    clock.set(jobs.jobs[0]?.options.runAt ?? new Date(0));
    expect(await deliver.execute()).toEqual({ delivered: 1, failed: 0 });
  });

  it('marks a notification dead after the last attempt, and keeps the reason', async () => {
    for (let attempt = 0; attempt < 10; attempt += 1) {
      await deliver.execute();
      clock.set((await outbox.nextDueAt()) ?? clock.now());
    }
    expect(await outbox.nextDueAt()).toBeNull();
    expect(await outbox.dead(10)).toMatchObject([
      { channel: 'webhook', type: 'domain.verified', attempts: 10, reason: 'The receiver answered 500' },
    ]);
  });
});
