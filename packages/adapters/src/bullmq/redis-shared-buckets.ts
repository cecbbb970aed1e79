import { randomUUID } from 'node:crypto';
import { SECOND_MS } from '@mailstead/core/clock';
import { deadline } from '@mailstead/core/deadlines';
import type { Spending } from '@mailstead/core/limits/rate-limits';
import { type SettledBuckets, SharedBuckets } from '@mailstead/core/limits/shared-buckets';
import { withTimeout } from '@mailstead/core/with-timeout';
import type { Redis } from 'ioredis';
import { PREFIX } from './queue-names.js';

const STUCK_MS = 5 * SECOND_MS;
/** A process counts for this time after its last settlement. */
const PROCESS_TTL_MS = 3 * SECOND_MS;
/** Redis returns whole numbers only, so levels are counted in thousandths. */
const SCALE = 1_000;

/**
 * The same rules as `TokenBucket`: change both. One script is atomic, and it reads the clock of Redis, so the clocks of
 * the hosts may differ. A bucket that is full again has expired.
 *
 * KEYS[1]: the processes by their last settlement. The other keys: buckets, each with four arguments: what to take, the
 * capacity, the rate per second, the highest level that the bucket may have before.
 */
const SETTLE = `
local clock = redis.call('TIME')
local now = clock[1] * 1000 + math.floor(clock[2] / 1000)
local ttl = tonumber(ARGV[2])
redis.call('ZADD', KEYS[1], now, ARGV[1])
redis.call('ZREMRANGEBYSCORE', KEYS[1], '-inf', now - ttl)
redis.call('PEXPIRE', KEYS[1], ttl)
local found = {redis.call('ZCARD', KEYS[1])}
for index = 2, #KEYS do
  local at = 4 * (index - 2) + 2
  local spent, capacity = tonumber(ARGV[at + 1]), tonumber(ARGV[at + 2])
  local rate, ceiling = tonumber(ARGV[at + 3]), tonumber(ARGV[at + 4])
  local state = redis.call('HMGET', KEYS[index], 'level', 'at')
  local level = capacity
  if state[1] then level = state[1] + math.max(0, now - state[2]) * rate / 1000 end
  level = math.floor(math.min(capacity, ceiling, level) - spent)
  if level < capacity then
    redis.call('HSET', KEYS[index], 'level', string.format('%.0f', level), 'at', string.format('%.0f', now))
    redis.call('PEXPIRE', KEYS[index], math.ceil((capacity - level) * 1000 / rate) + 1)
  end
  found[index] = level
end
return found
`;

/** The token buckets of all processes that use the same Redis. */
export class RedisSharedBuckets extends SharedBuckets {
  private readonly process = randomUUID();
  private pending: { since: number; call: Promise<unknown> } | null = null;

  /**
   * @param redis a connection of its own, because it is opened again when a command gets no response. Its offline queue
   * should be off, so that a call fails at once while Redis cannot be reached
   * @param prefix the same for all processes that share the buckets
   * @param patience `timeoutMs`: a call fails after this time. `stuckMs`: the connection is opened again when a command
   * has no response after this time
   */
  constructor(
    private readonly redis: Redis,
    private readonly prefix = `${PREFIX}:rate:`,
    private readonly patience = { timeoutMs: deadline('redisSettlement'), stuckMs: STUCK_MS },
  ) {
    super();
  }

  override async settle(spendings: readonly Spending[]): Promise<SettledBuckets> {
    this.refuseWhilePending();
    const keys = [`${this.prefix}processes`, ...spendings.map(({ key }) => this.prefix + key)];
    const values = spendings.flatMap(({ size, spent, ceiling }) =>
      [spent, size.capacity, size.perSecond, ceiling].map((value) => Math.ceil(value * SCALE)),
    );
    const call = this.redis.eval(SETTLE, keys.length, ...keys, this.process, PROCESS_TTL_MS, ...values);
    const pending = { since: performance.now(), call };
    this.pending = pending;
    const ended = () => {
      if (this.pending === pending) this.pending = null;
    };
    call.then(ended, ended);
    const [processes = 1, ...levels] = (await withTimeout(call, this.patience.timeoutMs, tooLate)) as number[];
    return { processes, levels: levels.map((level) => level / SCALE) };
  }

  override close(): void {
    this.redis.disconnect();
  }

  /** A Redis that does not respond gets no further commands, so that they do not pile up. */
  private refuseWhilePending(): void {
    if (this.pending === null) return;
    if (performance.now() - this.pending.since > this.patience.stuckMs) {
      this.pending = null;
      this.redis.disconnect(true);
    }
    throw new Error('Redis has not answered the former settlement');
  }
}

function tooLate(): never {
  throw new Error('Redis did not answer in time');
}
