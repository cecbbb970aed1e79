import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { RateLimits, type Spender } from '@mailstead/core/limits/rate-limits';
import { until } from '@mailstead/core/testing/until';
import { Redis } from 'ioredis';
import { BucketSettlement } from '../limits/bucket-settlement.js';
import { SystemClock } from '../system-clock.js';
import { RedisSharedBuckets } from './redis-shared-buckets.js';
import { RedisRelay } from './testing/redis-relay.js';

const RATE = 100;
const CAPACITY = 3 * RATE;
const keyOf = (keyId: number): Spender => ({ partnerId: 1, share: 'key', holder: `k${keyId}` });
const KEYS = [keyOf(1), keyOf(2), keyOf(3)] as const;

function redisUrl(): URL {
  const url = process.env.MAILSTEAD_TEST_REDIS_URL;
  if (url === undefined) {
    throw new Error(
      'MAILSTEAD_TEST_REDIS_URL is not set: run the tests by `npm test`, or by `node scripts/services.mjs -- <command>`',
    );
  }
  return new URL(url);
}

describe('the rates of all processes', () => {
  let prefix: string;
  let stops: (() => void)[];

  beforeEach(() => {
    prefix = `test-${randomUUID()}:`;
    stops = [];
  });
  afterEach(() => {
    for (const stop of stops) stop();
  });

  const start = async (url = redisUrl().toString()) => {
    const redis = new Redis(url, {
      enableOfflineQueue: false,
      maxRetriesPerRequest: 1,
      retryStrategy: () => 20,
    });
    redis.on('error', () => undefined);
    await once(redis, 'ready');
    const limits = new RateLimits(RATE, new SystemClock());
    const settlement = new BucketSettlement(limits, new RedisSharedBuckets(redis, prefix));
    settlement.start();
    stops.push(() => settlement.stop());
    return { limits, settlement, redis };
  };

  const passes = (limits: RateLimits, spender: Spender): boolean => {
    try {
      limits.admit(spender);
      return true;
    } catch {
      return false;
    }
  };

  it('let two processes together exceed the rate of a partner by at most a tenth', async () => {
    const processes = [await start(), await start()];
    // Each learns that there are two.
    for (const { settlement } of processes) await settlement.settle();
    let admitted = 0;
    const started = performance.now();
    while (performance.now() < started + 1_500) {
      for (const { limits } of processes) for (const key of KEYS) if (passes(limits, key)) admitted += 1;
      // How late a settlement by the timer is depends on the machine.
      for (const { settlement } of processes) await settlement.settle();
    }
    const allowed = CAPACITY + ((performance.now() - started) / 1_000) * RATE;
    expect(admitted).toBeLessThanOrEqual(allowed * 1.1);
    expect(admitted).toBeGreaterThan(CAPACITY);
  });

  it('limit by themselves while Redis is away, never wait for it, and share again when it is back', async () => {
    const proxy = new RedisRelay(redisUrl());
    const url = await proxy.listen();
    stops.push(() => proxy.close());
    const { limits, settlement, redis } = await start(url);
    const other = await start();
    proxy.cut();
    await once(redis, 'close');
    await settlement.settle();
    const started = performance.now();
    let alone = 0;
    for (const key of KEYS) while (passes(limits, key)) alone += 1;
    expect(alone).toBeGreaterThanOrEqual(CAPACITY);
    const flowedIn = ((performance.now() - started) / 1_000) * RATE;
    expect(alone).toBeLessThanOrEqual(CAPACITY + flowedIn + 1);
    proxy.isUp = true;
    await once(redis, 'ready');
    // What was taken without Redis counts for the other process, which has not used the bucket yet.
    await until('the other process to share the bucket', async () => {
      while (passes(limits, KEYS[1]));
      await settlement.settle();
      passes(other.limits, KEYS[0]);
      await other.settlement.settle();
      const [partner] = other.limits.statesOf(KEYS[0]);
      return partner !== undefined && partner.remaining < CAPACITY / 2;
    });
  });

  it('leave nothing in Redis once they are full again', async () => {
    const { limits, settlement, redis } = await start();
    const [spender] = KEYS;
    limits.admit(spender);
    limits.admitItems(spender, 1_000);
    const ttls = () => Promise.all(['p1', 'k1'].map((key) => redis.pttl(prefix + key)));
    await until('the settlement', async () => {
      await settlement.settle();
      return (await ttls()).every((ttl) => ttl >= 0);
    });
    const [partner = 0, key = 0] = await ttls();
    // 1,000 flow into the bucket of the partner in 10 s, into that of the key in 20 s.
    expect(partner).toBeLessThanOrEqual(10_001);
    expect(key).toBeLessThanOrEqual(20_001);
    expect(key).toBeGreaterThan(partner);
  });

  it('send a Redis that does not answer no further settlements, and connect again', async () => {
    const proxy = new RedisRelay(redisUrl());
    const url = await proxy.listen();
    stops.push(() => proxy.close());
    const redis = new Redis(url, { enableOfflineQueue: false, maxRetriesPerRequest: 1, retryStrategy: () => 20 });
    redis.on('error', () => undefined);
    await once(redis, 'ready');
    const shared = new RedisSharedBuckets(redis, prefix, { timeoutMs: 20, stuckMs: 60_000 });
    stops.push(() => shared.close());
    proxy.silence();
    await expect(shared.settle([])).rejects.toThrow('in time');
    await expect(shared.settle([])).rejects.toThrow('former settlement');
    proxy.speak();
    const impatient = new RedisSharedBuckets(redis, prefix, { timeoutMs: 20, stuckMs: 0 });
    proxy.silence();
    await expect(impatient.settle([])).rejects.toThrow('in time');
    const isReady = once(redis, 'ready');
    proxy.speak();
    await impatient.settle([]).catch(() => undefined);
    await isReady;
    await until('Redis to answer again', async () => (await impatient.settle([])) !== null);
  });
});
