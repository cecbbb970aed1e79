import type { Clock } from '@mailstead/core/clock';
import type { HealthCheck } from '@mailstead/core/health-check';
import type { JobStore } from '@mailstead/core/jobs/job-store';
import type { JobWaker } from '@mailstead/core/jobs/job-waker';
import type { RunSchedules } from '@mailstead/core/jobs/run-schedules';
import type { JobLog } from '../jobs/job-log.js';
import type { JobRunner } from '../jobs/job-runner.js';
import type { RateLimiter, RateRules } from '../relay/rate-limiter.js';
import { BullmqJobs } from './bullmq-jobs.js';
import { BullmqWaker } from './bullmq-waker.js';
import { QueueCheck } from './queue-check.js';
import { failingFast, waiting } from './redis.js';
import { RedisRateLimiter } from './redis-rate-limiter.js';

const RATE_KEY = 'mailstead:relay-provider-rate';

/** What a process has of Redis. Opening waits for nothing: a Redis that is away only makes jobs later. */
export interface QueueParts {
  waker: JobWaker;
  createRateLimiter: (rules: RateRules) => RateLimiter;
  check: HealthCheck;
  createJobs(
    store: JobStore,
    runner: JobRunner,
    schedules: RunSchedules | null,
    clock: Clock,
    log: JobLog,
  ): { start(): void; stop(): Promise<void> };
  close(): Promise<void>;
}

export function openQueue(url: string): QueueParts {
  const producer = failingFast(url);
  const waker = new BullmqWaker(producer);
  return {
    waker,
    createRateLimiter: (rules) => new RedisRateLimiter(producer, RATE_KEY, rules),
    check: new QueueCheck(producer),
    createJobs: (store, runner, schedules, clock, log) =>
      new BullmqJobs(waiting(url), store, runner, schedules, clock, log),
    close: async () => {
      await waker.close();
      producer.disconnect();
    },
  };
}
