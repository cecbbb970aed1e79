import 'reflect-metadata';
import { Clock, DatabaseClock } from '@mailstead/core/clock';
import { JobWaker } from '@mailstead/core/jobs/job-waker';
import { Demo } from '@mailstead/core/operators/demo';
import type { Container } from 'inversify';
import { Bindings } from './bindings.js';
import { Config } from './config.js';
import { Database } from './database/driver/database.js';
import { SqlDatabaseClock } from './database/installation/database-clock.js';
import type { InventedOutside } from './demo/invented-outside.js';
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
  /** What answers in place of the name servers and of the relay in a demo, whose data is all invented. */
  outside?: InventedOutside | null;
  /** In place of the clock of the database, while a demo does what it did in the past. */
  databaseClock?: DatabaseClock;
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
  bindings.value(Demo, new Demo((parts.outside ?? null) !== null));
  if (parts.databaseClock === undefined) bindings.port(DatabaseClock, SqlDatabaseClock);
  else bindings.value(DatabaseClock, parts.databaseClock);
  bindOptions(bindings, config, parts);
  bindPorts(bindings);
  return bindings.complete();
}
