import { SECOND_MS } from '@mailstead/core/clock';
import { HealthCheck } from '@mailstead/core/health-check';
import type { Redis } from 'ioredis';

const ANSWER_WITHIN_MS = 2 * SECOND_MS;

/** Without Redis nothing is lost, but jobs wait for it. */
export class QueueCheck extends HealthCheck {
  override readonly name = 'queue';

  constructor(private readonly redis: Redis) {
    super();
  }

  override async problem(): Promise<string | null> {
    let timer: NodeJS.Timeout | undefined;
    try {
      const late = new Promise<never>((_, reject) => {
        timer = setTimeout(() => reject(new Error('late')), ANSWER_WITHIN_MS);
      });
      await Promise.race([this.redis.ping(), late]);
      return null;
    } catch {
      return 'Redis does not answer; jobs wait until it does';
    } finally {
      clearTimeout(timer);
    }
  }
}
