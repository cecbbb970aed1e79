import 'reflect-metadata';
import { Clock } from '@mailstead/core/clock';
import { JobWaker } from '@mailstead/core/jobs/job-waker';
import { Demo } from '@mailstead/core/operators/demo';
import type { Container } from 'inversify';
import { Bindings } from './bindings.js';
import { Config } from './config.js';
import { Database } from './database/driver/database.js';
import { JobLog } from './jobs/job-log.js';
import { bindOptions } from './options.js';
import { bindPorts } from './ports.js';
import type { RateLimiter, RateRules, RateShare } from './relay/rate-limiter.js';

/** The parts that a process opens before it creates the container. Some depend on whether Redis is configured. */
export interface Parts {
  name: 'api' | 'worker';
  database: Database;
  clock: Clock;
  waker: JobWaker;
  jobLog: JobLog;
  createRateLimiter: (rules: RateRules) => RateLimiter;
  /** The share of the relay provider's rate that this process uses. */
  share: RateShare;
  /** Whether all data is invented; false when left out. */
  isDemo?: boolean;
}

/**
 * Binds what a process uses, but creates no instance and sends no statement to the database. The container creates each
 * class with all that it needs.
 *
 * @throws Error with everything that is needed, but not bound, or with what is bound twice
 */
export function createContainer(config: Readonly<Config>, parts: Parts): Container {
  const bindings = new Bindings();
  bindings.value(Config, config);
  bindings.value(Database, parts.database);
  bindings.value(Clock, parts.clock);
  bindings.value(JobWaker, parts.waker);
  bindings.value(JobLog, parts.jobLog);
  bindings.value(Demo, new Demo(parts.isDemo ?? false));
  bindOptions(bindings, config, parts);
  bindPorts(bindings);
  return bindings.complete();
}
