import { Redis } from 'ioredis';

/** A connection whose commands fail at once while Redis is away: for callers that must answer. */
export function failingFast(url: string): Redis {
  const redis = new Redis(url, { enableOfflineQueue: false, maxRetriesPerRequest: 1, connectTimeout: 2_000 });
  return quiet(redis);
}

/** A connection whose commands wait as long as Redis is away: BullMQ's workers need it so. */
export function waiting(url: string): Redis {
  return quiet(new Redis(url, { maxRetriesPerRequest: null, connectTimeout: 2_000 }));
}

/** Without a listener a lost connection would end the process. ioredis connects again by itself. */
function quiet(redis: Redis): Redis {
  redis.on('error', () => undefined);
  return redis;
}
