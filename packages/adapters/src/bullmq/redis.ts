import { SECOND_MS } from '@mailstead/core/clock';
import { deadline } from '@mailstead/core/deadlines';
import { Redis, type RedisOptions } from 'ioredis';
import { redisOptionsOf } from './redis-url.js';
import { sentinelConnector } from './sentinel-connector.js';

/** A sentinel that does not answer in this time is passed over. */
const SENTINEL_TIMEOUT_MS = SECOND_MS;
/** Always the same time, because ioredis tells it in its error, and each text of an error is logged once a minute. */
const SENTINELS_AGAIN_MS = SECOND_MS / 2;
/** A reconnection after READONLY finds the new primary. Until there is one, it is not tried more often than this. */
const RECONNECT_EVERY_MS = 2 * SECOND_MS;
/**
 * A connection whose command got no byte in this time is opened again, because the connection to a frozen primary does
 * not close, and neither does one that a firewall has forgotten. BullMQ's longest blocking command takes 10 s.
 */
const SILENCE_MS = 15 * SECOND_MS;
/** Firewalls forget connections that are idle for minutes, so the kernel asks the other side before. */
const KEEP_ALIVE_MS = 30 * SECOND_MS;
/** Replies of a server that is not ready for this client: it counts as one that does not answer. */
const NOT_READY = /^(NOAUTH|WRONGPASS|LOADING)\b/;
/** A replica refuses writes: READONLY; in cluster mode MOVED. */
const OF_REPLICA = /\b(READONLY|MOVED)\b/;
const LONGEST_REFUSAL = 200;
const SELECT_ADVICE = '; leave the number of the database out of REDIS_URL';

/** Opens a connection whose commands fail at once while Redis cannot be reached. */
export function failingFast(url: string, report: (error: unknown) => void): Redis {
  return open(url, report, { enableOfflineQueue: false, maxRetriesPerRequest: 1 });
}

/** Opens a connection whose commands wait until Redis can be reached. BullMQ's workers require this. */
export function waiting(url: string, report: (error: unknown) => void): Redis {
  return open(url, report, { maxRetriesPerRequest: null });
}

/**
 * @returns what Redis said when it answered and refused the command, for instance because it is a replica, full, or
 * runs no script over keys of several slots; null for every other error
 */
export function refusalIn(error: unknown): string | null {
  if (!(error instanceof Error) || error.name !== 'ReplyError' || NOT_READY.test(error.message)) return null;
  // Redis adds the hash of the script and the line in it. Later releases also begin with words about a script.
  const end = error.message.lastIndexOf(' script: ');
  const words = end === -1 ? error.message : error.message.slice(0, end);
  return words.slice(0, LONGEST_REFUSAL) + (isOfSelect(error) ? SELECT_ADVICE : '');
}

/** Redis in cluster mode has only the database 0, and other ones have as many as their operator set. */
function isOfSelect(error: Error): boolean {
  const command = 'command' in error ? error.command : null;
  return typeof command === 'object' && command !== null && 'name' in command && command.name === 'select';
}

function open(url: string, report: (error: unknown) => void, options: RedisOptions): Redis {
  const given = redisOptionsOf(url);
  const redis = new Redis({
    ...given,
    ...(given.sentinels === undefined ? {} : { Connector: sentinelConnector(report) }),
    connectTimeout: deadline('redisConnection'),
    sentinelCommandTimeout: SENTINEL_TIMEOUT_MS,
    sentinelRetryStrategy: () => SENTINELS_AGAIN_MS,
    // The sentinels' news of a switch closes connections to the former primary, also when it is frozen.
    failoverDetector: true,
    keepAlive: KEEP_ALIVE_MS,
    socketTimeout: SILENCE_MS,
    reconnectOnError: leavesReplicas(),
    ...options,
  });
  // Without an `error` listener a lost connection ends the process. ioredis reconnects automatically.
  redis.on('error', report);
  return redis;
}

/** A primary that became a replica keeps its connections open and refuses every write. */
function leavesReplicas(): (error: Error) => boolean {
  let last = Number.NEGATIVE_INFINITY;
  return (error) => {
    const now = performance.now();
    if (!OF_REPLICA.test(error.message) || now - last < RECONNECT_EVERY_MS) return false;
    last = now;
    return true;
  };
}
