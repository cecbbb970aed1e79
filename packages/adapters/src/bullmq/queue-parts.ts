import type { HealthCheck } from '@mailstead/core/health-check';
import type { JobWaker } from '@mailstead/core/jobs/job-waker';
import type { SharedBuckets } from '@mailstead/core/limits/shared-buckets';
import type { SweepWaker } from '../jobs/job-sweep.js';
import type { RateLimiter, RateRules } from '../relay/rate-limiter.js';
import { BullmqJobWaker } from './bullmq-job-waker.js';
import { BullmqSweepWaker } from './bullmq-sweep-waker.js';
import { QueueCheck, QueueWriteCheck } from './queue-check.js';
import { QueueWatch } from './queue-watch.js';
import { failingFast, waiting } from './redis.js';
import { RedisRateLimiter } from './redis-rate-limiter.js';
import { RedisSharedBuckets } from './redis-shared-buckets.js';

const RATE_KEY = 'mailstead:relay-provider-rate';

/** The parts of a process that use Redis. */
export interface QueueParts {
  waker: JobWaker;
  /** For a process that runs jobs. It connects in `start`. */
  sweepWaker: SweepWaker;
  createRateLimiter: (rules: RateRules) => RateLimiter;
  /** Opens a connection for the rates of partners. */
  openSharedBuckets: () => SharedBuckets;
  checks: HealthCheck[];
  close(): Promise<void>;
}

/** Returns without waiting for the connection: while Redis cannot be reached, jobs start later. */
export function openQueue(url: string): QueueParts {
  const producer = failingFast(url);
  const waker = new BullmqJobWaker(producer);
  const watch = new QueueWatch(producer);
  return {
    waker,
    sweepWaker: new BullmqSweepWaker(() => waiting(url), watch),
    createRateLimiter: (rules) => new RedisRateLimiter(producer, RATE_KEY, rules),
    openSharedBuckets: () => new RedisSharedBuckets(failingFast(url)),
    checks: [new QueueCheck(watch), new QueueWriteCheck(watch)],
    close: async () => {
      await waker.close();
      producer.disconnect();
    },
  };
}
