import 'reflect-metadata';
import { Clock, SECOND_MS } from '@mailstead/core/clock';
import { EventPositions } from '@mailstead/core/events/event-positions';
import { Heartbeats } from '@mailstead/core/jobs/heartbeats';
import { JobStore } from '@mailstead/core/jobs/job-store';
import { JobWaker } from '@mailstead/core/jobs/job-waker';
import { RunLedger } from '@mailstead/core/jobs/run-ledger';
import { RunSchedules } from '@mailstead/core/jobs/run-schedules';
import { Meters } from '@mailstead/core/meters';
import { NotificationOutbox } from '@mailstead/core/notifications/notification-outbox';
import { RelayEventInbox } from '@mailstead/core/relay-events/relay-event-inbox';
import { PurgeMarks } from '@mailstead/core/retention/purge-marks';
import { Container } from 'inversify';
import { Registry } from 'prom-client';
import { bindDatabase } from './bindings/bind-database.js';
import { bindDomains } from './bindings/bind-domains.js';
import { bindEvents } from './bindings/bind-events.js';
import { bindHealth } from './bindings/bind-health.js';
import { bindJobs } from './bindings/bind-jobs.js';
import { bindLimits } from './bindings/bind-limits.js';
import { bindMailboxes } from './bindings/bind-mailboxes.js';
import { bindOutbound } from './bindings/bind-outbound.js';
import { bindPartners, bindSecurity } from './bindings/bind-partners.js';
import { bindRelay } from './bindings/bind-relay.js';
import { bindRestoration } from './bindings/bind-restoration.js';
import type { Config } from './config.js';
import { Database } from './database/driver/database.js';
import { DatabaseWriters } from './database/health/database-writers.js';
import { InstallationLease } from './database/installation-lease.js';
import { JobLog } from './jobs/job-log.js';
import { PrometheusMeters } from './metrics/prometheus-meters.js';
import { ServiceMetrics } from './metrics/service-metrics.js';
import { SharedMetrics } from './metrics/shared-metrics.js';
import { constant, provide, provideSelf, provideValue } from './provide.js';
import type { RateLimiter, RateRules, RateShare } from './relay/rate-limiter.js';

/** Longer than two scrapes at Prometheus's usual interval of a minute. */
const METRICS_LEASE_MS = 150 * SECOND_MS;

/**
 * The parts that a process opens before it creates the container. Some of them depend on whether Redis is configured.
 */
export interface Parts {
  name: 'api' | 'worker';
  database: Database;
  /** Marks the identities of this installation at the relay provider. */
  installationId: string;
  clock: Clock;
  waker: JobWaker;
  jobLog: JobLog;
  createRateLimiter: (rules: RateRules) => RateLimiter;
  /** The share of the relay provider's rate that this process uses. */
  share: RateShare;
}

/**
 * Binds all classes that a process uses, but creates no instance. The database must be open and migrated. When a
 * process starts, it gets its classes from the container, which creates them with all their dependencies. A missing
 * binding or a circular dependency fails there, so the process does not start.
 *
 * @throws Error when something is bound twice
 */
export function createContainer(config: Readonly<Config>, parts: Parts): Container {
  const container = new Container();
  provideValue(container, Database, parts.database);
  provideValue(container, Clock, parts.clock);
  provideValue(container, JobWaker, parts.waker);
  provideValue(container, JobLog, parts.jobLog);
  bindMetrics(container, config, parts);
  bindHealth(container, config, parts.name);
  bindDatabase(container, config);
  bindEvents(container);
  bindLimits(container, config);
  bindSecurity(container, config);
  bindPartners(container);
  bindDomains(container, config);
  bindMailboxes(container, config);
  bindRestoration(container, config);
  bindOutbound(container);
  const { installationId, share, createRateLimiter } = parts;
  bindRelay(container, config, { installationId, share, createRateLimiter });
  bindJobs(container, config, parts.clock);
  return container;
}

function bindMetrics(container: Container, config: Readonly<Config>, { database, clock }: Parts): void {
  const registry = constant(new Registry());
  provide(container, Meters, PrometheusMeters, registry);
  provideSelf(
    container,
    SharedMetrics,
    JobStore,
    RunLedger,
    RunSchedules,
    RelayEventInbox,
    NotificationOutbox,
    Heartbeats,
    DatabaseWriters,
    PurgeMarks,
    EventPositions,
    Clock,
    constant({
      schedules: config.schedules,
      workers: config.redisUrl !== null,
      isCluster: database.nodes.isCluster,
    }),
  );
  const lease = new InstallationLease(database, clock, 'metrics_publisher', METRICS_LEASE_MS);
  provideSelf(container, ServiceMetrics, SharedMetrics, constant(lease), registry);
}
