import { deadline } from '@mailstead/core/deadlines';
import { HealthCheck } from '@mailstead/core/health-check';
import { withTimeout } from '@mailstead/core/with-timeout';
import type { Redis } from 'ioredis';

/**
 * Warns while Redis has a limit of memory and is set to remove keys at it. Redis' own words come only once it refuses
 * something, and a Redis that removes keys refuses nothing. Without an answer to INFO there is no warning.
 */
export class EvictionCheck extends HealthCheck {
  override readonly name = 'queue';
  override readonly isWarning = true;

  /** @param redis its offline queue must be off */
  constructor(private readonly redis: Redis) {
    super();
  }

  override async problem(): Promise<string | null> {
    const policy = await withTimeout(this.evictingPolicy(), deadline('redisAnswer'), () => null);
    return policy === null
      ? null
      : `Redis removes keys when its memory is full (maxmemory-policy is ${policy}). ` +
          'Jobs may then start up to a minute late, or rates begin anew; set maxmemory-policy noeviction';
  }

  /** INFO, because the managed ones refuse CONFIG. */
  private async evictingPolicy(): Promise<string | null> {
    const memory = await this.redis.info('memory').catch(() => '');
    const policy = /^maxmemory_policy:([a-z-]+)\r?$/m.exec(memory)?.[1] ?? 'noeviction';
    return policy === 'noeviction' || !/^maxmemory:[1-9]/m.test(memory) ? null : policy;
  }
}
