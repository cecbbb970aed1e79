import { SECOND_MS } from '@mailstead/core/clock';
import { AppError } from '@mailstead/core/errors';
import { withTimeout } from '@mailstead/core/with-timeout';
import type { Redis } from 'ioredis';
import { type Booking, RateLimiter, type RateRules, type RateShare, type Sleep } from '../relay/rate-limiter.js';

const REDIS_TIMEOUT_MS = 2 * SECOND_MS;

/** The rules of `InProcessRateLimiter.book`, in one step and by the clock of Redis, so that skewed hosts agree. */
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

/** The rate of all processes that share a Redis and the `key` (one for an account and region). */
export class RedisRateLimiter extends RateLimiter {
  /** @param redis its offline queue should be off, so that a lost Redis is noticed at once. */
  constructor(
    private readonly redis: Redis,
    private readonly key: string,
    rules: RateRules,
    sleep?: Sleep,
  ) {
    super(rules, sleep);
  }

  /** @throws AppError relay_unavailable when Redis does not answer: without it the rate cannot be kept. */
  protected override async book(share: RateShare, maxWaitMs: number): Promise<Booking> {
    const { intervalMs, interactiveIntervalMs } = this.rules;
    try {
      const asked = this.redis.eval(BOOK, 1, this.key, share, maxWaitMs, intervalMs, interactiveIntervalMs);
      const [booked, waitMs] = (await withTimeout(asked, REDIS_TIMEOUT_MS, tooLate)) as [number, number];
      return { booked: booked === 1, waitMs };
    } catch (cause) {
      throw new AppError('relay_unavailable', { detail: 'The rate of the relay provider cannot be kept now', cause });
    }
  }
}

function tooLate(): never {
  throw new Error('Redis did not answer in time');
}
