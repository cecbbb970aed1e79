import { Redis } from 'ioredis';

/** Opens a connection whose commands fail at once while Redis cannot be reached. */
export function failingFast(url: string): Redis {
  const redis = new Redis(url, { enableOfflineQueue: false, maxRetriesPerRequest: 1, connectTimeout: 2_000 });
  return ignoreErrors(redis);
}

/** Opens a connection whose commands wait until Redis can be reached. BullMQ's workers require this. */
export function waiting(url: string): Redis {
  return ignoreErrors(new Redis(url, { maxRetriesPerRequest: null, connectTimeout: 2_000 }));
}

/** Without an `error` listener a lost connection ends the process. ioredis reconnects automatically. */
function ignoreErrors(redis: Redis): Redis {
  redis.on('error', () => undefined);
  return redis;
}
