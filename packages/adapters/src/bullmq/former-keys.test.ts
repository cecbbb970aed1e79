import { MINUTE_MS } from '@mailstead/core/clock';
import { until } from '@mailstead/core/testing/until';
import { Redis } from 'ioredis';
import { type RunningRedis, type Stoppable, startServices } from '../../../../scripts/services.mjs';
import { FormerKeys } from './former-keys.js';
import { openQueue } from './queue-parts.js';
import { startClusterModeRedis } from './testing/cluster-mode-redis.js';

/** More than Redis looks at in one slice. */
const MANY = 1_500;
const KEPT = ['{mailstead}:sweep:meta', 'mailsteads:1', 'other:mailstead:1'];

describe.each([
  ['a single Redis', () => startServices({ redis: true })],
  ['a Redis in cluster mode', startClusterModeRedis],
])('the keys of the former release in %s', (_, open) => {
  let services: RunningRedis & Stoppable;
  let redis: Redis;
  let formerKeys: FormerKeys;

  beforeAll(async () => {
    services = await open();
    redis = new Redis(services.redisUrl);
  });
  afterAll(async () => {
    redis.disconnect();
    await services.stop();
  });
  beforeEach(async () => {
    await redis.flushdb();
    for (const key of KEPT) await redis.set(key, '1', 'PX', 60 * MINUTE_MS);
    await makeFormer();
    formerKeys = new FormerKeys(redis, () => undefined);
  });

  async function makeFormer(): Promise<void> {
    await redis.hset('mailstead:sweep:repeat:sweep', 'every', '10000');
    await redis.zadd('mailstead:{rate}:processes', 1, 'one');
    await Promise.all(Array.from({ length: MANY }, (__, id) => redis.rpush(`mailstead:verification:${id}`, '1')));
  }
  const count = () => redis.dbsize();

  it('stay while a process of it runs, or while nobody knows', async () => {
    const all = await count();
    await formerKeys.deleteUnused(async () => true);
    await formerKeys.deleteUnused(() => Promise.reject(new Error('The database is away')));
    expect(await count()).toBe(all);
  });

  it('are deleted once none runs, and those of others stay', async () => {
    await formerKeys.deleteUnused(async () => true);
    await formerKeys.deleteUnused(async () => false);
    expect((await redis.keys('*')).toSorted()).toEqual(KEPT.toSorted());
  });

  it('are deleted again after a process of it ran once more', async () => {
    await formerKeys.deleteUnused(async () => false);
    await formerKeys.deleteUnused(async () => true);
    await makeFormer();
    await formerKeys.deleteUnused(async () => false);
    expect(await count()).toBe(KEPT.length);
  });

  it('are deleted at the next look when Redis could not be asked', async () => {
    const away = new Redis(services.redisUrl, { lazyConnect: true, enableOfflineQueue: false });
    const keys = new FormerKeys(away, () => undefined);
    await keys.deleteUnused(async () => false);
    expect(await count()).toBeGreaterThan(MANY);
    await until('the connection', () => away.status === 'ready');
    await keys.deleteUnused(async () => false);
    expect(await count()).toBe(KEPT.length);
    away.disconnect();
  });

  it.each(['scan', 'unlink'])(
    'that Redis does not delete, because it does not permit %s, are named once in the log and are no warning',
    async (command) => {
      const lines: string[] = [];
      const parts = openQueue(services.redisUrl, (line) => lines.push(line));
      const problems = () => Promise.all(parts.checks.map((check) => check.problem()));
      await until('the queue', async () => (await problems()).every((problem) => problem === null));
      await redis.call('ACL', 'SETUSER', 'default', `-${command}`);
      try {
        await parts.formerKeys.deleteUnused(async () => false);
        await parts.formerKeys.deleteUnused(async () => false);
        expect(await problems()).toEqual([null, null, null]);
        expect(lines).toEqual([expect.stringMatching(/mailstead:\*.*NOPERM/)]);
      } finally {
        await redis.call('ACL', 'SETUSER', 'default', `+${command}`);
        await parts.close();
      }
    },
  );
});
