import { randomUUID } from 'node:crypto';
import { Clock } from '@mailstead/core/clock';
import { scaleDeadlines } from '@mailstead/core/deadlines';
import { AppError, reasonOf } from '@mailstead/core/errors';
import { type HealthCheck, ShutdownCheck } from '@mailstead/core/health-check';
import { FuturePeriodsCheck } from '@mailstead/core/jobs/future-periods-check';
import { Heartbeats } from '@mailstead/core/jobs/heartbeats';
import { JobStore } from '@mailstead/core/jobs/job-store';
import { MissedRunsCheck } from '@mailstead/core/jobs/missed-runs-check';
import { RunSchedules } from '@mailstead/core/jobs/run-schedules';
import { WatchWorkers } from '@mailstead/core/jobs/watch-workers';
import { WorkerCheck } from '@mailstead/core/jobs/worker-check';
import { RateLimits } from '@mailstead/core/limits/rate-limits';
import { MailSessionsCheck } from '@mailstead/core/mail-sessions/mail-sessions-check';
import { Meters } from '@mailstead/core/meters';
import { UndeliveredCheck } from '@mailstead/core/notifications/undelivered-check';
import { RestoreCheck } from '@mailstead/core/recovery/restore-check';
import { RestoreGate } from '@mailstead/core/recovery/restore-gate';
import { CheckAccount } from '@mailstead/core/relay/check-account';
import { LooksCheck } from '@mailstead/core/relay/looks/looks-check';
import { RelayAccountCheck } from '@mailstead/core/relay/relay-account-check';
import { MailStoreCheck } from '@mailstead/core/retention/mail-store-check';
import { PurgeBrakeCheck } from '@mailstead/core/retention/purge-brake-check';
import { SettingsError } from '@mailstead/core/settings/read-settings';
import { TrailSilentCheck } from '@mailstead/core/trail/trail-silent-check';
import type { Container } from 'inversify';
import { createAll } from './bindings.js';
import type { QueueParts } from './bullmq/queue-parts.js';
import { type Config, readConfig, readDemoConfig } from './config.js';
import { createContainer } from './container.js';
import { LastUsedStamps } from './database/api-keys/last-used-stamps.js';
import type { NoteCorrected } from './database/copies/sql-stored-copies.js';
import { DerivedComparison } from './database/derived/derived-comparison.js';
import { Database } from './database/driver/database.js';
import { refusalOf } from './database/driver/database-error.js';
import { openDatabase } from './database/driver/open-database.js';
import { ClockCheck } from './database/health/clock-check.js';
import { DatabaseCheck, DatabaseWriteCheck } from './database/health/database-checks.js';
import { DatabaseWriters } from './database/health/database-writers.js';
import { DerivedCheck } from './database/health/derived-check.js';
import { SchemaCheck } from './database/health/schema-check.js';
import { SeveralWritersCheck } from './database/health/several-writers-check.js';
import { DemoMark } from './database/installation/demo-mark.js';
import { publishSetting } from './database/installation/installation.js';
import { tooNewFor } from './database/installation/served-from.js';
import { refuseUnfitServer } from './database/installation/server-settings.js';
import { claimEmbeddedDatabase, migrate } from './database/migrations/migrate.js';
import { refuseOldSchema } from './database/migrations/oldest-schema.js';
import { refuseUnfinishedRestore } from './database/recovery/unfinished-restore.js';
import { RelayTrafficStamps } from './database/relay/relay-traffic-stamps.js';
import type { InventedOutside } from './demo/invented-outside.js';
import { claimDemoFolder, DEMO_REFUSAL, refuseDemoFolder } from './demo-folder.js';
import { withEmbeddedSecrets } from './embedded-secrets.js';
import { EventPositioner } from './events/event-positioner.js';
import { InProcessWaker } from './in-process/in-process-waker.js';
import { HeartbeatTimer } from './jobs/heartbeat-timer.js';
import { JobLog, LoggedJobs } from './jobs/job-log.js';
import { JobRunner } from './jobs/job-runner.js';
import { JobSweep, type SweepWaker } from './jobs/job-sweep.js';
import { BucketSettlement } from './limits/bucket-settlement.js';
import { createLogger, type Logger } from './logger.js';
import { ServiceMetrics } from './metrics/service-metrics.js';
import { openToOthers } from './private-files.js';
import { processLabel } from './process-label.js';
import { RestoreWatch } from './recovery/restore-watch.js';
import { refuseUnfinishedFolder } from './recovery/restored-folder.js';
import { InProcessRateLimiter } from './relay/in-process-rate-limiter.js';
import { SystemClock } from './system-clock.js';
import { WebhookDispatcher } from './webhooks/webhook-dispatcher.js';

/** The parts that the API and the worker have in common. */
export interface ServiceProcess {
  config: Readonly<Config>;
  logger: Logger;
  container: Container;
  checks: HealthCheck[];
  shutdown: ShutdownCheck;
  /** Resolves when the derived rows are those of this release, which a new release waits for. */
  compared(): Promise<void>;
  /** Starts the jobs of this process: always in the worker, in the API only without Redis. */
  startJobs(): void;
  /** Stops the jobs, writes the pending `last used` times of API keys, and closes all connections. */
  close(): Promise<void>;
}

/**
 * Opens the parts of a process. Settings and database are checked first, so that the start fails early when one is
 * wrong. All classes are created before the database is migrated, so a part that is missing leaves the database as it
 * was.
 *
 * @param outside what answers in place of other systems in a demo; null: no demo
 * @param settings those of the environment by default
 * @param output receives the lines of the log; standard output by default
 * @throws Error with a message for the operator: a wrong setting, an unusable folder, a database that cannot be reached
 * or is in use, everything that is needed but not bound, a failed migration
 */
export async function openProcess(
  name: 'api' | 'worker',
  {
    outside = null,
    settings = outside === null ? readConfig() : readDemoConfig(),
    output,
  }: { outside?: InventedOutside | null; settings?: Readonly<Config>; output?: NodeJS.WritableStream } = {},
): Promise<ServiceProcess> {
  const isDemo = outside !== null;
  scaleDeadlines(settings.deadlineFactor);
  if (isDemo) claimDemoFolder(settings);
  else refuseDemoFolder(settings);
  if (settings.databaseUrl === null) refuseUnfinishedFolder(settings.dataDir);
  const config = withEmbeddedSecrets(settings);
  if (name === 'worker' && config.redisUrl === null) {
    throw new SettingsError(['REDIS_URL: is required by the worker; without Redis the API runs the jobs itself']);
  }
  const logger = createLogger(config.logLevel, output).child({ process: name });
  const explain = (error: unknown): never => {
    throw startErrorOf(error, config);
  };
  const claim = config.databaseUrl === null ? await claimEmbeddedDatabase(config.dataDir).catch(explain) : null;
  // A restore may have begun since, and been killed.
  if (claim !== null) refuseUnfinishedFolder(config.dataDir);
  const database = await open(config, logger).catch(explain);
  // BullMQ and ioredis take half a second to load, so they are loaded only when Redis is configured.
  const queue = config.redisUrl === null ? null : await openQueue(config.redisUrl, logger);
  const clock = new SystemClock();
  const waker = new InProcessWaker(clock);
  const container = createContainer(config, {
    name,
    database,
    clock,
    waker: queue?.waker ?? waker,
    jobLog: new LoggedJobs(logger),
    createRateLimiter: queue?.createRateLimiter ?? ((rules) => new InProcessRateLimiter(rules)),
    share: name === 'api' && queue !== null ? 'interactive' : 'background',
    outside,
  });
  createAll(container);
  await prepareDatabase(database, name, config, logger).catch(explain);
  if (!isDemo && (await container.get(DemoMark).read()) !== null) {
    throw new Error(`The database has the invented data of a demo, and ${DEMO_REFUSAL}; use another database.`);
  }
  const { jobs, webhooks, writers, lastUsed, relayTraffic, metrics, heartbeat, positioner, checks } = resolveParts(
    container,
    name,
    config,
    queue,
    waker,
  );
  const comparison = await openComparison(container, logger).catch(explain);
  const gate = container.get(RestoreGate);
  const watch = new RestoreWatch(database, gate, logger);
  await watch.look();
  watch.start();
  gate.onOpened(() => void jobs?.sweep());
  container.get(DerivedCheck).onEnded(() => void jobs?.sweep());
  metrics.watchProcess();
  writers?.start();
  positioner.start();
  comparison.start();
  const settlement = name === 'api' && queue !== null ? startSettlement(container, queue) : null;
  return {
    config,
    logger,
    container,
    checks,
    shutdown: container.get(ShutdownCheck),
    compared: () => comparison.ready(),
    startJobs: () => {
      heartbeat?.start();
      if (name === 'worker') queue?.formerKeys.start(() => container.get(Heartbeats).includesFormer(clock.now()));
      jobs?.start();
      webhooks?.start();
      if (jobs !== null) void container.get(CheckAccount).request();
    },
    close: async () => {
      watch.stop();
      settlement?.stop();
      await comparison.stop();
      await positioner.stop();
      await writers?.stop();
      await Promise.all([jobs?.stop(), webhooks?.stop()]);
      await heartbeat?.stop();
      await metrics.close();
      await lastUsed.flush();
      await relayTraffic.flush();
      await queue?.close();
      await database.close();
      await claim?.release();
    },
  };
}

/**
 * Creates the parts of a process other than its routes. Jobs run in the worker when Redis is configured, otherwise in
 * the API.
 *
 * @throws Error when a binding is missing or depends on itself
 */
export function resolveParts(
  container: Container,
  name: 'api' | 'worker',
  config: Readonly<Config>,
  queue: QueueParts | null,
  waker: SweepWaker,
) {
  const { isCluster } = container.get(Database).nodes;
  const runsJobs = name === 'worker' || queue === null;
  return {
    jobs: runsJobs ? createSweep(container, config, queue?.sweepWaker ?? waker) : null,
    webhooks: runsJobs ? container.get(WebhookDispatcher) : null,
    writers: isCluster ? container.get(DatabaseWriters) : null,
    lastUsed: container.get(LastUsedStamps),
    relayTraffic: container.get(RelayTrafficStamps),
    positioner: container.get(EventPositioner),
    metrics: container.get(ServiceMetrics),
    heartbeat: queue === null ? null : createHeartbeat(container, name),
    checks: [
      container.get(ShutdownCheck),
      container.get(RestoreCheck),
      container.get(DatabaseCheck),
      container.get(DatabaseWriteCheck),
      container.get(SchemaCheck),
      container.get(DerivedCheck),
      container.get(ClockCheck),
      ...(queue?.checks ?? []),
      ...(config.schedules ? [container.get(MissedRunsCheck), container.get(FuturePeriodsCheck)] : []),
      container.get(PurgeBrakeCheck),
      container.get(LooksCheck),
      container.get(MailStoreCheck),
      // No mail server reads the embedded database.
      ...(config.databaseUrl === null ? [] : [container.get(MailSessionsCheck)]),
      ...(isCluster ? [container.get(SeveralWritersCheck)] : []),
      container.get(UndeliveredCheck),
      container.get(RelayAccountCheck),
      ...(name === 'api' ? [container.get(TrailSilentCheck)] : []),
      ...(name === 'api' && queue !== null ? [container.get(WorkerCheck)] : []),
    ],
  };
}

async function openComparison(container: Container, logger: Logger): Promise<DerivedComparison> {
  const [meters, log] = [container.get(Meters), container.get(JobLog)];
  const noteCorrected: NoteCorrected = (table, domainIds) => {
    meters.copiesCorrected(table, domainIds.length);
    log.copiesCorrected(table, domainIds);
  };
  const [database, clock, check] = [container.get(Database), container.get(Clock), container.get(DerivedCheck)];
  const comparison = new DerivedComparison(database, clock, check, noteCorrected, logger);
  await comparison.open();
  return comparison;
}

/** Null when the rates of partners are not limited. */
function startSettlement(container: Container, queue: QueueParts): BucketSettlement | null {
  const limits = container.get(RateLimits);
  if (!limits.isOn) return null;
  const settlement = new BucketSettlement(limits, queue.openSharedBuckets());
  settlement.start();
  return settlement;
}

/** In an API process, each heartbeat also looks whether a worker runs. */
function createHeartbeat(container: Container, kind: 'api' | 'worker'): HeartbeatTimer {
  const [heartbeats, clock] = [container.get(Heartbeats), container.get(Clock)];
  const process = { id: randomUUID(), kind, label: processLabel(kind) };
  const watch = kind === 'api' ? container.get(WatchWorkers) : null;
  return new HeartbeatTimer(
    () => (watch === null ? heartbeats.beat(process, clock.now()) : watch.execute(process)),
    () => heartbeats.end(process.id, clock.now()),
  );
}

function createSweep(container: Container, config: Readonly<Config>, waker: SweepWaker): JobSweep {
  return new JobSweep(
    waker,
    container.get(JobStore),
    container.get(JobRunner),
    config.schedules ? container.get(RunSchedules) : null,
    container.get(Clock),
    container.get(JobLog),
  );
}

async function prepareDatabase(
  database: Database,
  name: 'api' | 'worker',
  config: Readonly<Config>,
  logger: Logger,
): Promise<void> {
  for (const problem of await refuseUnfitServer(database)) logger.warn('a setting of the database server', { problem });
  await refuseOldSchema(database);
  await refuseUnfinishedRestore(database);
  const steps = await migrate(database);
  // One may have begun since, and seen no table yet.
  await refuseUnfinishedRestore(database);
  const problem = await tooNewFor(database);
  if (problem !== null) throw new Error(`${problem}.`);
  if (steps > 0) logger.info('migrated', { steps });
  await publishSetting(database, 'transfer_cap_scope', config.transferCapScope);
  if (name === 'api') await publishSetting(database, 'allow_external_forward', String(config.allowExternalForward));
}

async function openQueue(url: string, logger: Logger): Promise<QueueParts> {
  const parts = await import('./bullmq/queue-parts.js');
  return parts.openQueue(url, (problem) => logger.warn('a problem of Redis', { problem }));
}

/**
 * Explains in one sentence that the database refuses writes. Every start needs a writable database: it runs the missing
 * migrations and stores changed settings.
 */
function startErrorOf(error: unknown, { databaseUrl, dataDir }: Readonly<Config>): unknown {
  const where = databaseUrl === null ? `DATA_DIR is ${dataDir}` : 'see DATABASE_URL';
  const refusal = refusalOf(error);
  if (refusal === null) {
    if (!(error instanceof AppError) || error.code !== 'database_unavailable') return error;
    return new Error(`The database does not answer (${where}): ${reasonOf(error.cause ?? error)}`, { cause: error });
  }
  return new Error(`${refusal} (${where}); make the database writable and start again`, { cause: error });
}

/** Other users of the machine could read the mail data, or replace files in a folder that they can write to. */
function warnOfOthers(dataDir: string, logger: Logger): void {
  const open = openToOthers(dataDir);
  if (open.length > 0) {
    logger.warn('DATA_DIR is open to other users; only its owner should have permissions (chmod 700)', {
      dataDir,
      open,
    });
  }
}

async function open(config: Readonly<Config>, logger: Logger): Promise<Database> {
  const database = await openDatabase({
    url: config.databaseUrl,
    dataDir: config.dataDir,
    poolSize: config.databasePoolSize,
    endsSilentTransactions: true,
    onRefused: (reason) => logger.warn('the database refuses connections', { reason }),
  }).catch((error: unknown) => {
    const where = config.databaseUrl === null ? '' : ' (see DATABASE_URL)';
    throw new Error(`The database cannot be opened${where}: ${reasonOf(error)}`, { cause: error });
  });
  if (config.databaseUrl === null) warnOfOthers(config.dataDir, logger);
  return database;
}
