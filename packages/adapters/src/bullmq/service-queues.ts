import { reasonOf } from '@mailstead/core/errors';
import { QUEUES } from '@mailstead/core/jobs/jobs';
import { Queue } from 'bullmq';
import type { Redis } from 'ioredis';
import { FormerKeys } from './former-keys.js';
import { SENDING, SWEEP_QUEUE } from './queue-names.js';
import { failingFast } from './redis.js';

/** The queues of the service in Redis. The jobs themselves are rows of the database. */
export class ServiceQueues {
  private constructor(private readonly redis: Redis) {}

  /** @throws Error when Redis does not answer */
  static async connect(url: string): Promise<ServiceQueues> {
    const redis = failingFast(url, () => undefined);
    try {
      if (redis.status !== 'ready')
        await new Promise<void>((resolve, reject) => {
          redis.once('ready', resolve);
          redis.once('error', reject);
        });
      await redis.ping();
      return new ServiceQueues(redis);
    } catch (error) {
      redis.disconnect();
      throw new Error(`Redis cannot be reached (REDIS_URL): ${reasonOf(error)}`, { cause: error });
    }
  }

  /** Removes all messages. They are for jobs of a database that is no more. */
  async empty(): Promise<void> {
    for (const name of [...QUEUES, SWEEP_QUEUE]) {
      const queue = new Queue(name, { connection: this.redis, ...SENDING });
      queue.on('error', () => undefined);
      await queue.obliterate({ force: true });
    }
    // Those of a process of the former release. @until 5.3
    await new FormerKeys(this.redis, () => undefined).delete();
  }

  async close(): Promise<void> {
    this.redis.disconnect();
  }
}
