import type { HealthCheck } from '@mailstead/core/health-check';
import type { JobWaker } from '@mailstead/core/jobs/job-waker';
import type { SharedBuckets } from '@mailstead/core/limits/shared-buckets';
import type { SweepWaker } from '../jobs/job-sweep.js';
import type { RateLimiter, RateRules } from '../relay/rate-limiter.js';
import { BullmqJobWaker } from './bullmq-job-waker.js';
import { BullmqSweepWaker } from './bullmq-sweep-waker.js';
import { EvictionCheck } from './eviction-check.js';
import { FormerKeys } from './former-keys.js';
import { QueueCheck, QueueRefusalCheck } from './queue-check.js';
import { QueueErrors } from './queue-errors.js';
import { PREFIX } from './queue-names.js';
import { QueueWatch } from './queue-watch.js';
import { failingFast, waiting } from './redis.js';
import { RedisRateLimiter } from './redis-rate-limiter.js';
import { RedisSharedBuckets } from './redis-shared-buckets.js';

const RATE_KEY = `${PREFIX}:relay-provider-rate`;

/** The parts of a process that use Redis. */
export interface QueueParts {
  waker: JobWaker;
  /** For a process that runs jobs. It connects in `start`. */
  sweepWaker: SweepWaker;
  createRateLimiter: (rules: RateRules) => RateLimiter;
  /** Opens a connection for the rates of partners. */
  openSharedBuckets: () => SharedBuckets;
  checks: HealthCheck[];
  formerKeys: Pick<FormerKeys, 'start' | 'deleteUnused'>;
  close(): Promise<void>;
}

/**
 * Returns without waiting for the connection: while Redis cannot be reached, jobs start later.
 *
 * @param log writes a line about a trouble of the queue, with its text
 */
export function openQueue(url: string, log: (text: string) => void): QueueParts {
  const errors = new QueueErrors(log);
  const producer = failingFast(url, errors.report);
  const waker = new BullmqJobWaker(producer, errors);
  const watch = new QueueWatch(producer, errors);
  const formerKeys = new FormerKeys(producer, log);
  return {
    waker,
    sweepWaker: new BullmqSweepWaker(() => waiting(url, errors.report), watch, errors),
    createRateLimiter: (rules) => new RedisRateLimiter(producer, RATE_KEY, rules),
    openSharedBuckets: () => new RedisSharedBuckets(failingFast(url, errors.report)),
    checks: [new QueueCheck(watch), new QueueRefusalCheck(watch), new EvictionCheck(producer)],
    formerKeys,
    close: async () => {
      formerKeys.stop();
      await waker.close();
      producer.disconnect();
    },
  };
}
