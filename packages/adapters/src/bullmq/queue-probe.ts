import { createHash, randomUUID } from 'node:crypto';
import { MINUTE_MS } from '@mailstead/core/clock';
import type { Redis } from 'ioredis';
import { PREFIX } from './queue-names.js';
import { refusalIn } from './redis.js';

/** What all scripts of BullMQ need: to run, to have several keys, and to write. */
const PROBE = `
for _, key in ipairs(KEYS) do redis.call('SET', key, '1', 'PX', ARGV[1]) end
`;
const PROBE_HASH = createHash('sha1').update(PROBE).digest('hex');

/**
 * A script that writes two keys, as those of BullMQ do, because a Redis that refuses them may answer every PING.
 */
export class QueueProbe {
  private readonly keys = ['one', 'two'].map((name) => `${PREFIX}:probe:${randomUUID()}:${name}`);

  constructor(private readonly redis: Redis) {}

  /** @throws Error of Redis, for which `refusalIn` is not null when it answered and refused what the queue needs */
  async run(): Promise<void> {
    await selectOwn(this.redis);
    const values = [...this.keys, MINUTE_MS];
    try {
      await this.redis.evalsha(PROBE_HASH, this.keys.length, ...values);
    } catch (error) {
      if (!refusalIn(error)?.startsWith('NOSCRIPT')) throw error;
      await this.redis.eval(PROBE, this.keys.length, ...values);
    }
  }
}

/** A connection whose SELECT was refused goes on with the database 0, which may be that of others. */
export async function selectOwn(redis: Redis): Promise<void> {
  const { db = 0 } = redis.options;
  if (db !== 0) await redis.select(db);
}
