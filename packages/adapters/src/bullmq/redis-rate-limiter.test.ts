import { randomUUID } from 'node:crypto';
import { Redis } from 'ioredis';
import { rateLimiterContract, TEST_RULES } from '../relay/testing/rate-limiter-contract.js';
import { RedisRateLimiter } from './redis-rate-limiter.js';

function connect(): Redis {
  const url = process.env.MAILSTEAD_TEST_REDIS_URL;
  if (url === undefined) {
    throw new Error(
      'MAILSTEAD_TEST_REDIS_URL is not set: run the tests by `npm test`, or by `node scripts/services.mjs -- <command>`',
    );
  }
  return new Redis(url, { maxRetriesPerRequest: 1 });
}

/** Longer than in the other test, because this one uses real time and a machine may be slow. */
const RULES = { ...TEST_RULES, maxWaitMs: { interactive: 1_500, background: 1_500 } };

describe('the rate of all processes', () => {
  rateLimiterContract(async () => {
    const redis = connect();
    await redis.ping();
    return {
      limiter: new RedisRateLimiter(redis, `rate-${randomUUID()}`, RULES),
      now: () => performance.now(),
      close: async () => redis.disconnect(),
    };
  });

  test('two processes share the slots', async () => {
    const key = `rate-${randomUUID()}`;
    const connections = [connect(), connect()];
    try {
      const start = performance.now();
      const times: number[] = [];
      const take = async (redis: Redis) => {
        await new RedisRateLimiter(redis, key, RULES).take('background');
        times.push(performance.now());
      };
      await Promise.all([...connections, ...connections].map(take));
      times.sort((a, b) => a - b);
      // A slot may be late, and never early. The 5 ms allow for the difference between the clocks.
      expect((times[3] ?? 0) - start).toBeGreaterThanOrEqual(3 * RULES.intervalMs - 5);
    } finally {
      for (const redis of connections) redis.disconnect();
    }
  });

  test('throws relay_unavailable when Redis cannot be reached', async () => {
    const redis = new Redis('redis://127.0.0.1:1', {
      lazyConnect: true,
      enableOfflineQueue: false,
      retryStrategy: null,
    });
    redis.on('error', () => {});
    const limiter = new RedisRateLimiter(redis, 'rate', TEST_RULES);
    await expect(limiter.take('background')).rejects.toMatchObject({ code: 'relay_unavailable' });
    redis.disconnect();
  });
});
