import type { QueueName } from '@mailstead/core/jobs/jobs';
import { Redis } from 'ioredis';
import type { Wakeable } from '../jobs/job-sweep.js';
import { BullmqJobWaker } from './bullmq-job-waker.js';
import { BullmqSweepWaker } from './bullmq-sweep-waker.js';
import { failingFast, waiting } from './redis.js';

/** @returns the URL of a separate Redis database, because other tests use the same server */
function redisUrl(): string {
  const url = process.env.MAILSTEAD_TEST_REDIS_URL;
  if (url === undefined) {
    throw new Error(
      'MAILSTEAD_TEST_REDIS_URL is not set: run the tests by `npm test`, or by `node scripts/services.mjs -- <command>`',
    );
  }
  return new URL('/7', url).toString();
}

/** A fake sweep that records its calls. */
class RecordedSweep implements Wakeable {
  readonly wakes: (QueueName | 'all')[] = [];
  private seen: () => void = () => {};

  async wake(queue: QueueName): Promise<void> {
    this.record(queue);
  }

  async sweep(): Promise<void> {
    this.record('all');
  }

  async until(condition: () => boolean): Promise<void> {
    while (!condition()) await new Promise<void>((resolve) => (this.seen = resolve));
  }

  private record(what: QueueName | 'all'): void {
    this.wakes.push(what);
    this.seen();
  }
}

const ignore = (): void => undefined;

describe('the wake-ups by Redis', () => {
  let control: Redis;
  let producer: Redis;
  let jobWaker: BullmqJobWaker;
  const wakers: BullmqSweepWaker[] = [];

  beforeEach(async () => {
    control = new Redis(redisUrl());
    await control.flushdb();
    producer = failingFast(redisUrl(), ignore);
    await new Promise((resolve) => producer.once('ready', resolve));
    jobWaker = new BullmqJobWaker(producer, { report: ignore });
  });
  afterEach(async () => {
    await Promise.all(wakers.splice(0).map((waker) => waker.stop()));
    await jobWaker.close();
    producer.disconnect();
    control.disconnect();
  });

  function start(sweep: RecordedSweep, url = redisUrl()): BullmqSweepWaker {
    const waker = new BullmqSweepWaker(() => waiting(url, ignore), { start: ignore, stop: ignore }, { report: ignore });
    wakers.push(waker);
    waker.start(sweep);
    return waker;
  }

  it('start a sweep at once, and wake a queue when its job is due', async () => {
    const sweep = new RecordedSweep();
    start(sweep);
    await sweep.until(() => sweep.wakes.includes('all'));
    const runAt = Date.now() + 300;
    jobWaker.wake('notifications', new Date(runAt));
    jobWaker.wake('verification', new Date());
    await sweep.until(() => sweep.wakes.includes('verification'));
    await sweep.until(() => sweep.wakes.includes('notifications'));
    expect(Date.now()).toBeGreaterThanOrEqual(runAt);
  });

  it('each go to only one of two processes', async () => {
    const both = new RecordedSweep();
    start(both);
    start(both);
    for (let round = 1; round <= 5; round += 1) {
      jobWaker.wake('verification', new Date());
      await both.until(() => both.wakes.filter((queue) => queue === 'verification').length === round);
    }
    jobWaker.wake('notifications', new Date());
    await both.until(() => both.wakes.includes('notifications'));
    expect(both.wakes.filter((queue) => queue === 'verification')).toHaveLength(5);
  });

  it('start sweeps again after Redis lost its data', async () => {
    const sweep = new RecordedSweep();
    start(sweep);
    await sweep.until(() => sweep.wakes.includes('all'));
    await control.flushdb();
    const clients = String(await control.client('LIST')).split('\n');
    const own = await control.client('ID');
    sweep.wakes.length = 0;
    for (const line of clients.filter((each) => / db=7 /.test(each))) {
      const id = Number(/^id=(\d+)/.exec(line)?.[1]);
      if (id !== own) await control.client('KILL', 'ID', id);
    }
    await sweep.until(() => sweep.wakes.includes('all'));
  });

  it('stop at once while Redis cannot be reached', async () => {
    const sweep = new RecordedSweep();
    await start(sweep, 'redis://127.0.0.1:1').stop();
    expect(sweep.wakes).toEqual([]);
  });
});
