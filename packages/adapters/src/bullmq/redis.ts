import { Redis } from 'ioredis';

/** For whoever must answer at once: a Redis that is away fails in a moment instead of gathering commands. */
export function failingFast(url: string): Redis {
  const redis = new Redis(url, { enableOfflineQueue: false, maxRetriesPerRequest: 1, connectTimeout: 2_000 });
  return quiet(redis);
}

/** For workers, who wait for Redis as long as it takes. */
export function waiting(url: string): Redis {
  return quiet(new Redis(url, { maxRetriesPerRequest: null, connectTimeout: 2_000 }));
}

/** A lost connection is no crash: ioredis connects again by itself, and the database holds the work meanwhile. */
function quiet(redis: Redis): Redis {
  redis.on('error', () => undefined);
  return redis;
}
