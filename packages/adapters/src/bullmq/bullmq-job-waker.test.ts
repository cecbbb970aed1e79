import { until } from '@mailstead/core/testing/until';
import type { Redis } from 'ioredis';
import { type RunningRedis, type Stoppable, startServices } from '../../../../scripts/services.mjs';
import { BullmqJobWaker } from './bullmq-job-waker.js';
import { failingFast } from './redis.js';

const ignore = (): void => undefined;

describe('wake-ups on a Redis that refuses to open queues', () => {
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

  it('leave nothing behind, and are sent once it permits them', async () => {
    await producer.call('ACL', 'SETUSER', 'default', '-info');
    let refusals = 0;
    const waker = new BullmqJobWaker(producer, { report: () => (refusals += 1) });
    const listeners = producer.listenerCount('close');
    for (let round = 0; round < 20; round += 1) {
      const before = refusals;
      waker.wake('verification', new Date());
      await until('a refusal', () => refusals > before);
    }
    await until('no more listeners', () => producer.listenerCount('close') <= listeners);
    await producer.call('ACL', 'SETUSER', 'default', '+info');
    await until('a message', async () => {
      waker.wake('verification', new Date());
      return (await producer.keys('*verification:wait')).length === 1;
    });
    await waker.close();
  });
});
