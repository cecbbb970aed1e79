import { until } from '@mailstead/core/testing/until';
import type { Redis } from 'ioredis';
import { type RunningRedis, type Stoppable, startServices } from '../../../../scripts/services.mjs';
import { BullmqJobWaker } from './bullmq-job-waker.js';
import { PREFIX } from './queue-names.js';
import { failingFast } from './redis.js';

const ignore = (): void => undefined;

describe('wake-ups on a Redis that refuses commands', () => {
  let services: RunningRedis & Stoppable;
  let producer: Redis;

  beforeAll(async () => {
    services = await startServices({ redis: true });
    producer = failingFast(services.redisUrl, ignore);
    await until('the connection', () => producer.status === 'ready');
  });
  afterAll(async () => {
    producer.disconnect();
    await services.stop();
  });

  beforeEach(() => producer.flushall());
  afterEach(() => permit('+info', '+evalsha', '+eval'));

  const permit = (...rules: string[]) => producer.call('ACL', 'SETUSER', 'default', ...rules);
  const isSent = async (waker: BullmqJobWaker) => {
    waker.wake('verification', new Date());
    return (await producer.exists(`${PREFIX}:verification:wait`)) === 1;
  };

  it('leave nothing behind, and are sent once it permits them', async () => {
    await permit('-evalsha', '-eval');
    let refusals = 0;
    const waker = new BullmqJobWaker(producer, { report: () => (refusals += 1) });
    const listeners = producer.listenerCount('close');
    for (let round = 0; round < 20; round += 1) {
      const before = refusals;
      waker.wake('verification', new Date());
      await until('a refusal', () => refusals > before);
    }
    expect(producer.listenerCount('close')).toBeLessThanOrEqual(listeners);
    await permit('+evalsha', '+eval');
    await until('a message', () => isSent(waker));
    await waker.close();
  });

  it('are sent without INFO, at whose answer BullMQ writes lines on the console', async () => {
    await permit('-info');
    const waker = new BullmqJobWaker(producer, { report: ignore });
    await until('a message', () => isSent(waker));
    await waker.close();
  });
});
