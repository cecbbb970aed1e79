import { SECOND_MS } from '@mailstead/core/clock';
import { HealthCheck } from '@mailstead/core/health-check';
import { withTimeout } from '@mailstead/core/with-timeout';
import type { Redis } from 'ioredis';

const PING_TIMEOUT_MS = 2 * SECOND_MS;

/** Checks that Redis responds. Without Redis no job is lost, but each job starts up to a minute late. */
export class QueueCheck extends HealthCheck {
  override readonly name = 'queue';

  constructor(private readonly redis: Redis) {
    super();
  }

  override async problem(): Promise<string | null> {
    const answered = this.redis.ping().then(
      () => true,
      () => false,
    );
    const isUp = await withTimeout(answered, PING_TIMEOUT_MS, () => false);
    return isUp ? null : 'Redis does not answer; jobs start up to a minute late until it does';
  }
}
