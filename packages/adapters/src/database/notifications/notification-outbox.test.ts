import { DAY_MS, MINUTE_MS, SECOND_MS } from '@mailstead/core/clock';
import { DeliverNotifications } from '@mailstead/core/notifications/deliver-notifications';
import { type Notification, NotificationChannel } from '@mailstead/core/notifications/notification-channel';
import { UndeliveredCheck } from '@mailstead/core/notifications/undelivered-check';
import { FixedClock } from '@mailstead/core/testing/fixed-clock';
import { IdleJobQueue } from '@mailstead/core/testing/idle-job-queue';
import { Registry } from 'prom-client';
import { SilentJobLog } from '../../jobs/testing/silent-job-log.js';
import { PrometheusMeters } from '../../metrics/prometheus-meters.js';
import { SqlUnitOfWork } from '../driver/sql-unit-of-work.js';
import { onEachDatabase, openTestDatabase, type TestDatabase } from '../testing/database-fixture.js';
import { TypeormNotificationOutbox, TypeormNotifier } from './notification-outbox.js';

/** A channel that fails while the test says so. */
class FailingChannel extends NotificationChannel {
  override readonly name = 'webhook';
  readonly taken: Notification[] = [];
  refuses = true;
  reason = 'The receiver answered 500';

  gone = false;

  override async deliver(notification: Notification) {
    if (this.gone) return 'gone' as const;
    if (this.refuses) throw new Error(this.reason);
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
  let log: SilentJobLog;
  let registry: Registry;

  beforeAll(async () => {
    opened = await openTestDatabase(kind);
  });
  afterAll(() => opened.close());
  beforeEach(async () => {
    await opened.database.write('DELETE FROM notification');
    clock = new FixedClock();
    channel = new FailingChannel();
    jobs = new IdleJobQueue();
    outbox = new TypeormNotificationOutbox(opened.database, new SqlUnitOfWork(opened.database));
    log = new SilentJobLog();
    registry = new Registry();
    deliver = new DeliverNotifications(outbox, [channel], jobs, log, new PrometheusMeters(registry), clock);
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
    expect(await outbox.undelivered(10)).toMatchObject([
      {
        channel: 'webhook',
        type: 'domain.verified',
        attempts: 10,
        reason: 'The receiver answered 500',
        nextAttemptAt: null,
      },
    ]);
  });

  it('lists a notification from its first failure on, with the time of its next attempt', async () => {
    expect(await outbox.undelivered(10)).toEqual([]);
    await deliver.execute();
    expect(await outbox.undelivered(10)).toMatchObject([
      {
        attempts: 1,
        reason: 'The receiver answered 500',
        nextAttemptAt: new Date(clock.now().getTime() + 5 * SECOND_MS),
      },
    ]);
    clock.advance(MINUTE_MS);
    channel.refuses = false;
    await deliver.execute();
    expect(await outbox.undelivered(10)).toEqual([]);
  });

  it('logs and counts each failed attempt with its notification, channel and reason, without URLs', async () => {
    channel.reason = 'connect to https://bob:secret@hooks.example/T0/secret failed';
    await deliver.execute();
    expect(log.failedDeliveries).toMatchObject([
      { type: 'domain.verified', channel: 'webhook', attempts: 1, reason: 'connect to (a URL) failed' },
    ]);
    const [stored] = await outbox.undelivered(1);
    expect(stored?.reason).toBe('connect to (a URL) failed');
    const [waiting] = await opened.database.read('SELECT notification_id FROM notification');
    expect(log.failedDeliveries[0]?.id).toBe(waiting?.notification_id);
    clock.advance(MINUTE_MS);
    channel.refuses = false;
    await deliver.execute();
    const text = await registry.metrics();
    expect(text).toContain('mailstead_notification_attempts_total{channel="webhook",outcome="retried"} 1');
    expect(text).toContain('mailstead_notification_attempts_total{channel="webhook",outcome="delivered"} 1');
  });

  it('warns after half an hour of failures, and for a day after the last attempt of a dead notification', async () => {
    const check = new UndeliveredCheck(outbox, clock);
    const warns = async () => (await check.problem()) !== null;
    await deliver.execute();
    clock.advance(30 * MINUTE_MS - 1);
    expect(await warns()).toBe(false);
    clock.advance(1);
    expect(await warns()).toBe(true);
    while ((await outbox.nextDueAt()) !== null) {
      await deliver.execute();
      clock.set((await outbox.nextDueAt()) ?? clock.now());
    }
    expect(await warns()).toBe(true);
    clock.advance(DAY_MS);
    expect(await warns()).toBe(false);
    expect(await outbox.backlog()).toEqual({ waiting: 0, retried: 0, dead: 1 });
  });

  it('gives up what a receiver refuses for ever, with a log line', async () => {
    channel.gone = true;
    expect(await deliver.execute()).toEqual({ delivered: 0, failed: 1 });
    expect(log.failedDeliveries).toMatchObject([{ channel: 'webhook', nextAttemptAt: null }]);
    expect(await outbox.undelivered(10)).toMatchObject([{ nextAttemptAt: null }]);
  });

  it('deletes delivered and dead notifications apart, by the time of their last attempt, in chunks', async () => {
    const { database } = opened;
    for (const state of ['delivered', 'dead', 'waiting']) {
      for (let age = 1; age <= 4; age += 1) {
        await database.write(
          `INSERT INTO notification (notification_id, channel, type, happened_at, data, state, attempts, next_attempt_at)
           VALUES (?, 'webhook', 'job.missed', 0, '{}', ?, 1, ?)`,
          [`${state}-${age}`, state, clock.now().getTime() - age * DAY_MS],
        );
      }
    }
    const before = new Date(clock.now().getTime() - 1.5 * DAY_MS);
    expect(await outbox.deleteEnded('dead', before, 2)).toBe(2);
    expect(await outbox.deleteEnded('dead', before, 2)).toBe(1);
    expect(await outbox.deleteEnded('dead', before, 2)).toBe(0);
    expect(await outbox.deleteEnded('delivered', before, 10)).toBe(3);
    const left = await database.read(
      "SELECT notification_id AS id FROM notification WHERE type = 'job.missed' ORDER BY id",
    );
    expect(left.map(({ id }) => String(id)).toSorted()).toEqual(
      ['dead-1', 'delivered-1', 'waiting-1', 'waiting-2', 'waiting-3', 'waiting-4'].toSorted(),
    );
  });
});
