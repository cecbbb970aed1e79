import type { HealthCheck } from '@mailstead/core/health-check';
import { JobStore } from '@mailstead/core/job-store';
import { MissedRunsCheck } from '@mailstead/core/missed-runs-check';
import { RunSchedules } from '@mailstead/core/run-schedules';
import type { Container } from 'inversify';
import type { QueueParts } from './bullmq/queue-parts.js';
import { type Config, ConfigError, readConfig } from './config.js';
import { createContainer, resolve } from './container.js';
import type { Database } from './database/database.js';
import { ClockCheck, DatabaseCheck } from './database/database-checks.js';
import { publishSetting, readInstallationId } from './database/installation.js';
import { LastUsedStamps } from './database/last-used-stamps.js';
import { claimEmbeddedDatabase, migrate } from './database/migrate.js';
import { openDatabase } from './database/open-database.js';
import { withEmbeddedSecrets } from './embedded-secrets.js';
import { InProcessJobs, InProcessNudge } from './in-process/in-process-jobs.js';
import { JobLog, LoggedJobs } from './in-process/job-log.js';
import { JobRunner } from './in-process/job-runner.js';
import { createLogger, type Logger } from './logger.js';
import { InProcessRateLimiter } from './ses/in-process-rate-limiter.js';
import { SystemClock } from './system-clock.js';

/** What every process of the service has: settings, a log, the wired adapters on an open database. */
export interface ServiceProcess {
  config: Readonly<Config>;
  logger: Logger;
  container: Container;
  checks: HealthCheck[];
  /** Runs jobs in this process: the worker's always, the API's when there is no Redis. */
  startJobs(): void;
  /** Stops the jobs, writes what is pending and closes every connection. */
  close(): Promise<void>;
}

/**
 * Opens all that a process needs, in an order in which everything that can be wrong is found first.
 *
 * @throws Error with a message for the operator: a wrong setting, an unusable folder, a database that is away or in use,
 * a migration that failed.
 */
export async function openProcess(name: 'api' | 'worker'): Promise<ServiceProcess> {
  const config = withEmbeddedSecrets(readConfig());
  if (name === 'worker' && config.redisUrl === null) {
    throw new ConfigError(['REDIS_URL: is required by the worker; without Redis the API runs the jobs itself']);
  }
  const logger = createLogger(config.logLevel).child({ process: name });
  const claim = config.databaseUrl === null ? await claimEmbeddedDatabase(config.dataDir) : null;
  const database = await openMigrated(config, logger);
  await publishSetting(database, 'transfer_cap_scope', config.transferCapScope);
  if (name === 'api') await publishSetting(database, 'allow_external_forward', String(config.allowExternalForward));
  // BullMQ and ioredis take half a second to load, so only a process that has a Redis loads them.
  const queue = config.redisUrl === null ? null : (await import('./bullmq/queue-parts.js')).openQueue(config.redisUrl);
  const nudge = new InProcessNudge();
  const container = createContainer(config, {
    database,
    installationId: await readInstallationId(database),
    clock: new SystemClock(),
    nudge: queue?.nudge ?? nudge,
    jobLog: new LoggedJobs(logger),
    rateLimiter: queue?.rateLimiter ?? new InProcessRateLimiter(),
    share: name === 'api' && queue !== null ? 'interactive' : 'background',
  });
  // Where there is a Redis the jobs are the worker's; without one they are the API's.
  const jobs = name === 'worker' || queue === null ? createJobs(container, config, queue, nudge) : null;
  return {
    config,
    logger,
    container,
    checks: createChecks(container, config, database, queue),
    startJobs: () => jobs?.start(),
    close: async () => {
      await jobs?.stop();
      await resolve(container, LastUsedStamps).flush();
      await queue?.close();
      await database.close();
      await claim?.release();
    },
  };
}

function createJobs(container: Container, config: Readonly<Config>, queue: QueueParts | null, nudge: InProcessNudge) {
  const store = resolve(container, JobStore);
  const runner = resolve(container, JobRunner);
  const schedules = config.schedules ? resolve(container, RunSchedules) : null;
  const log = resolve(container, JobLog);
  const clock = new SystemClock();
  if (queue !== null) return queue.createJobs(store, runner, schedules, clock, log);
  return new InProcessJobs(store, runner, schedules, nudge, clock, log);
}

function createChecks(
  container: Container,
  config: Readonly<Config>,
  database: Database,
  queue: QueueParts | null,
): HealthCheck[] {
  return [
    new DatabaseCheck(database),
    new ClockCheck(database, new SystemClock()),
    ...(queue === null ? [] : [queue.check]),
    ...(config.schedules ? [resolve(container, MissedRunsCheck)] : []),
  ];
}

async function openMigrated(config: Readonly<Config>, logger: Logger): Promise<Database> {
  const database = await openDatabase({
    url: config.databaseUrl,
    dataDir: config.dataDir,
    poolSize: config.databasePoolSize,
  }).catch((error: unknown) => {
    throw new Error(`The database cannot be opened: ${String(error)}`, { cause: error });
  });
  const steps = await migrate(database);
  if (steps > 0) logger.info('migrated', { steps });
  return database;
}
