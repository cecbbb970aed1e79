import { reasonOf } from '@mailstead/core/errors';
import { QUEUES } from '@mailstead/core/jobs/jobs';
import { Queue } from 'bullmq';
import type { Redis } from 'ioredis';
import { FormerKeys } from './former-keys.js';
import { SENDING, SWEEP_QUEUE } from './queue-names.js';
import { QueueProbe, selectOwn } from './queue-probe.js';
import { failingFast, refusalIn } from './redis.js';

/** The queues of the service in Redis. The jobs themselves are rows of the database. */
export class ServiceQueues {
  private constructor(private readonly redis: Redis) {}

  /** @throws Error when Redis does not answer, or refuses what the queues need */
  static async connect(url: string): Promise<ServiceQueues> {
    const redis = failingFast(url, () => undefined);
    try {
      if (redis.status !== 'ready')
        await new Promise<void>((resolve, reject) => {
          redis.once('ready', resolve);
          redis.once('error', reject);
        });
      await new QueueProbe(redis).run();
      return new ServiceQueues(redis);
    } catch (error) {
      redis.disconnect();
      const refusal = refusalIn(error);
      throw new Error(
        refusal === null
          ? `Redis cannot be reached (REDIS_URL): ${reasonOf(error)}`
          : `Redis refuses what the queue needs (REDIS_URL): ${refusal}`,
        { cause: error },
      );
    }
  }

  /** Removes all messages. They are for jobs of a database that is no more. */
  async empty(): Promise<void> {
    await selectOwn(this.redis);
    for (const name of [...QUEUES, SWEEP_QUEUE]) {
      const queue = new Queue(name, { connection: this.redis, ...SENDING });
      queue.on('error', () => undefined);
      await queue.obliterate({ force: true });
    }
    // Those of the former release wake no process of this one, so a user who may not delete them goes on. @until 5.3
    await new FormerKeys(this.redis, () => undefined).deleteUnused(async () => false);
  }

  async close(): Promise<void> {
    this.redis.disconnect();
  }
}
