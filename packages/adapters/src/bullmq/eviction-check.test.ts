import { readinessOf } from '@mailstead/core/health-check';
import { until } from '@mailstead/core/testing/until';
import { Redis } from 'ioredis';
import { type RunningRedis, type Stoppable, startServices } from '../../../../scripts/services.mjs';
import { openQueue, type QueueParts } from './queue-parts.js';

describe('a Redis that removes keys when its memory is full', () => {
  let services: RunningRedis & Stoppable;
  let control: Redis;
  let parts: QueueParts;

  beforeAll(async () => {
    services = await startServices({ redis: true });
    control = new Redis(services.redisUrl);
  });
  afterAll(async () => {
    control.disconnect();
    await services.stop();
  });
  beforeEach(async () => {
    parts = openQueue(services.redisUrl, () => undefined);
    await until('the queue', async () => (await readinessOf(parts.checks)).isReady);
  });
  afterEach(async () => {
    await parts.close();
    await control.call('ACL', 'SETUSER', 'default', '+info');
  });

  const set = (maxmemory: string, policy: string) =>
    control.config('SET', 'maxmemory', maxmemory, 'maxmemory-policy', policy);

  it.each(['allkeys-lru', 'volatile-lru'])('by %s is a warning that names the setting', async (policy) => {
    await set('1gb', policy);
    expect(await readinessOf(parts.checks)).toMatchObject({
      isReady: true,
      warnings: [{ name: 'queue', detail: expect.stringMatching(`is ${policy}.*set maxmemory-policy noeviction`) }],
    });
  });

  it.each([
    ['1gb', 'noeviction'],
    ['0', 'allkeys-lru'],
  ])('is not one with maxmemory %s and %s', async (maxmemory, policy) => {
    await set(maxmemory, policy);
    expect((await readinessOf(parts.checks)).warnings).toEqual([]);
  });

  it('and does not permit INFO is no warning', async () => {
    await set('1gb', 'allkeys-lru');
    await control.call('ACL', 'SETUSER', 'default', '-info');
    expect(await readinessOf(parts.checks)).toMatchObject({ isReady: true, warnings: [] });
  });
});
