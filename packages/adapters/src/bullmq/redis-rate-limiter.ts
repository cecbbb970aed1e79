import { deadline } from '@mailstead/core/deadlines';
import { AppError } from '@mailstead/core/errors';
import { withTimeout } from '@mailstead/core/with-timeout';
import type { Redis } from 'ioredis';
import { type Booking, RateLimiter, type RateRules, type RateShare, type Sleep } from '../relay/rate-limiter.js';

/**
 * The same rules as `InProcessRateLimiter.book`: change both. One script is atomic, and it reads the clock of Redis, so
 * the clocks of the hosts may differ.
 */
const BOOK = `
local clock = redis.call('TIME')
local now = clock[1] * 1000 + math.floor(clock[2] / 1000)
local interactive = ARGV[1] == 'interactive'
local max, interval, own = tonumber(ARGV[2]), tonumber(ARGV[3]), tonumber(ARGV[4])
local state = redis.call('HMGET', KEYS[1], 'next', 'interactive')
local nextAt, nextInteractiveAt = tonumber(state[1] or 0), tonumber(state[2] or 0)
if interactive and nextInteractiveAt > now then return {0, nextInteractiveAt - now} end
local wait = math.max(0, nextAt - now)
local lead = interactive and max or math.min(max, interval)
if wait > lead then return {0, interactive and wait or wait - lead} end
redis.call('HSET', KEYS[1], 'next', string.format('%.0f', now + wait + interval))
if interactive then redis.call('HSET', KEYS[1], 'interactive', string.format('%.0f', now + wait + own)) end
redis.call('PEXPIRE', KEYS[1], wait + interval + own)
return {1, wait}
`;

/**
 * Limits the calls of all processes that use the same Redis and the same `key`: one key for each AWS account and
 * region.
 */
export class RedisRateLimiter extends RateLimiter {
  /** @param redis its offline queue should be off, so that a call fails at once while Redis cannot be reached */
  constructor(
    private readonly redis: Redis,
    private readonly key: string,
    rules: RateRules,
    sleep?: Sleep,
  ) {
    super(rules, sleep);
  }

  /** @throws AppError relay_unavailable when Redis does not respond: the rate cannot be limited without it */
  protected override async book(share: RateShare, maxWaitMs: number): Promise<Booking> {
    const { intervalMs, interactiveIntervalMs } = this.rules;
    try {
      const booking = this.redis.eval(BOOK, 1, this.key, share, maxWaitMs, intervalMs, interactiveIntervalMs);
      const [booked, waitMs] = (await withTimeout(booking, deadline('redisAnswer'), tooLate)) as [number, number];
      return { booked: booked === 1, waitMs };
    } catch (cause) {
      throw new AppError('relay_unavailable', {
        detail: 'The call rate of the relay provider cannot be limited now',
        cause,
      });
    }
  }
}

function tooLate(): never {
  throw new Error('Redis did not answer in time');
}
