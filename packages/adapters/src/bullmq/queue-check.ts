import { SECOND_MS } from '@mailstead/core/clock';
import { HealthCheck } from '@mailstead/core/health-check';
import type { Redis } from 'ioredis';

const ANSWER_WITHIN_MS = 2 * SECOND_MS;

/** Whether Redis answers. While it is away no job is lost, but each starts up to a minute late. */
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
      return 'Redis does not answer; jobs start up to a minute late until it does';
    } finally {
      clearTimeout(timer);
    }
  }
}
