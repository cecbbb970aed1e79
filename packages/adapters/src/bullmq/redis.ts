import { SECOND_MS } from '@mailstead/core/clock';
import { deadline } from '@mailstead/core/deadlines';
import { Redis, type RedisOptions } from 'ioredis';
import { redisOptionsOf } from './redis-url.js';

/** A sentinel that does not answer in this time is passed over. */
const SENTINEL_TIMEOUT_MS = SECOND_MS;
/** A reconnection after READONLY finds the new primary. Until there is one, it is not tried more often than this. */
const RECONNECT_EVERY_MS = 2 * SECOND_MS;
/**
 * A connection whose command got no byte in this time is opened again, because the connection to a frozen primary does
 * not close. BullMQ's longest blocking command takes 10 s.
 */
const SILENCE_MS = 15 * SECOND_MS;
/** Errors of a Redis that answers and refuses to write, also when a script reports them. */
const REFUSED_WRITE = /\b(READONLY|OOM|MISCONF|NOREPLICAS)\b/;

/** Opens a connection whose commands fail at once while Redis cannot be reached. */
export function failingFast(url: string): Redis {
  return open(url, { enableOfflineQueue: false, maxRetriesPerRequest: 1 });
}

/** Opens a connection whose commands wait until Redis can be reached. BullMQ's workers require this. */
export function waiting(url: string): Redis {
  return open(url, { maxRetriesPerRequest: null });
}

/** @returns whether Redis answered, and refuses to write: a replica, a full memory or a full disk */
export function isRefusedWrite(error: unknown): boolean {
  return error instanceof Error && REFUSED_WRITE.test(error.message);
}

function open(url: string, options: RedisOptions): Redis {
  const redis = new Redis({
    ...redisOptionsOf(url),
    connectTimeout: deadline('redisConnection'),
    sentinelCommandTimeout: SENTINEL_TIMEOUT_MS,
    // The sentinels' news of a switch closes connections to the former primary, also when it is frozen.
    failoverDetector: true,
    socketTimeout: SILENCE_MS,
    reconnectOnError: leavesReplicas(),
    ...options,
  });
  // Without an `error` listener a lost connection ends the process. ioredis reconnects automatically.
  redis.on('error', () => undefined);
  return redis;
}

/** A primary that became a replica keeps its connections open and refuses every write (READONLY). */
function leavesReplicas(): (error: Error) => boolean {
  let last = Number.NEGATIVE_INFINITY;
  return (error) => {
    const now = performance.now();
    if (!error.message.includes('READONLY') || now - last < RECONNECT_EVERY_MS) return false;
    last = now;
    return true;
  };
}
