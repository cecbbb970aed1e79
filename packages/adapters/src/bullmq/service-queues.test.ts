import { QUEUES } from '@mailstead/core/jobs/jobs';
import { until } from '@mailstead/core/testing/until';
import { Redis } from 'ioredis';
import { migrate } from '../database/migrations/migrate.js';
import { BackupWorld } from '../recovery/testing/backup-world.js';
import { BullmqJobWaker } from './bullmq-job-waker.js';
import { BullmqSweepWaker } from './bullmq-sweep-waker.js';
import { PREFIX } from './queue-names.js';
import { failingFast, waiting } from './redis.js';
import { ServiceQueues } from './service-queues.js';

const LATER_MS = 3_600_000;
const USER = 'restorer-of-a-test';
const OTHERS = 'other:bull:due:1';

/** A separate database, because other tests use the same server. */
const url = new URL('/8', process.env.MAILSTEAD_TEST_REDIS_URL ?? 'redis://is-not-set').toString();

const ignore = (): void => undefined;

describe('the queues of the service that a restore empties', () => {
  let control: Redis;
  let producer: Redis;
  let waker: BullmqJobWaker;

  beforeEach(async () => {
    control = new Redis(url);
    await control.flushdb();
    producer = failingFast(url, ignore);
    await new Promise((resolve) => producer.once('ready', resolve));
    waker = new BullmqJobWaker(producer, { report: ignore });
  });
  afterEach(async () => {
    await waker.close();
    producer.disconnect();
    control.disconnect();
  });

  /** Those of the queues: a probe leaves two keys for a minute. */
  const keys = async (part: string) => {
    const all = await control.keys(`${PREFIX}:*${part}`);
    return all.filter((key) => !key.startsWith(`${PREFIX}:probe:`));
  };

  it('have no message and no scheduler of before, so nothing of it wakes a process, and keys of others stay', async () => {
    for (const queue of QUEUES) {
      waker.wake(queue, new Date());
      await until('a message that waits', async () => (await keys(`${queue}:wait`)).length === 1);
      waker.wake(queue, new Date(Date.now() + LATER_MS));
      await until('a message that is due later', async () => (await keys(`${queue}:delayed`)).length === 1);
    }
    const former = new BullmqSweepWaker(
      () => waiting(url, ignore),
      { start: ignore, stop: ignore },
      { report: ignore },
    );
    former.start({ wake: () => new Promise(() => undefined), sweep: () => new Promise(() => undefined) });
    await until('a scheduler', async () => (await keys('sweep:repeat')).length === 1);
    await former.stop();
    await control.set(OTHERS, 'stays');

    const queues = await ServiceQueues.connect(url);
    await queues.empty();
    await queues.close();

    expect(await keys('')).toEqual([]);
    expect(await control.get(OTHERS)).toBe('stays');
  });

  it('are emptied by a restore, which is refused when Redis does not answer, with nothing changed', async () => {
    const world = new BackupWorld('mariadb');
    await world.open();
    try {
      const [source, target] = [await world.location(), await world.location()];
      const database = await world.database(source);
      await migrate(database);
      await world.backup(source, 'one');
      waker.wake('verification', new Date());
      await until('a message that waits', async () => (await keys('verification:wait')).length === 1);
      await expect(world.restore(target, 'one', {}, { REDIS_URL: 'redis://127.0.0.1:1/0' })).rejects.toThrow(
        /^Redis cannot be reached \(REDIS_URL\)/,
      );
      await world.expectEmpty(target);
      expect(await keys('verification:wait')).toHaveLength(1);
      await world.restore(target, 'one', {}, { REDIS_URL: url });
      expect(await keys('')).toEqual([]);
    } finally {
      await world.close();
    }
  });

  describe('and whose user of Redis has few rights', () => {
    afterEach(() => control.call('ACL', 'DELUSER', USER));

    async function urlWith(...rules: string[]): Promise<string> {
      await control.call('ACL', 'SETUSER', USER, 'on', '>secret', `~${PREFIX}:*`, '+@all', ...rules);
      return Object.assign(new URL(url), { username: USER, password: 'secret' }).toString();
    }

    it.each([
      ['scripts', ['-eval', '-evalsha'], 'NOPERM'],
      ['scripts that write', ['-set'], "(can't run this command|has no permissions to run)"],
      ['its database', ['-select'], 'leave the number of the database out of REDIS_URL'],
    ])('make the restore end at its begin when that lacks %s', async (_, rules, words) => {
      await expect(ServiceQueues.connect(await urlWith(...rules))).rejects.toThrow(
        new RegExp(`^Redis refuses what the queue needs \\(REDIS_URL\\): .*${words}`),
      );
    });

    it('are emptied although it may not delete the keys of the former release', async () => {
      waker.wake('verification', new Date());
      await until('a message that waits', async () => (await keys('verification:wait')).length === 1);
      await control.set('mailstead:sweep:meta', 'of the former release');
      const queues = await ServiceQueues.connect(await urlWith());
      await queues.empty();
      await queues.close();
      expect(await keys('')).toEqual([]);
    });
  });
});
