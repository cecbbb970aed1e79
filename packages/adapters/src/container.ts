import 'reflect-metadata';
import { Clock } from '@mailstead/core/clock';
import { JobWaker } from '@mailstead/core/jobs/job-waker';
import { JobQueue } from '@mailstead/core/jobs/jobs';
import { Meters } from '@mailstead/core/meters';
import { DnsResolver } from '@mailstead/core/relay/dns-resolver';
import { RelayProvider } from '@mailstead/core/relay/relay-provider';
import { Container } from 'inversify';
import { Registry } from 'prom-client';
import { bindDatabase } from './bindings/bind-database.js';
import { bindDomains } from './bindings/bind-domains.js';
import { bindJobs } from './bindings/bind-jobs.js';
import { bindMailboxes } from './bindings/bind-mailboxes.js';
import { bindOutbound } from './bindings/bind-outbound.js';
import { bindPartners, bindSecurity } from './bindings/bind-partners.js';
import { bindRelay } from './bindings/bind-relay.js';
import type { Config } from './config.js';
import { Database } from './database/driver/database.js';
import { JobLog } from './jobs/job-log.js';
import { PrometheusMeters } from './metrics/prometheus-meters.js';
import { ServiceMetrics } from './metrics/service-metrics.js';
import type { Token } from './provide.js';
import type { RateLimiter, RateRules } from './relay/rate-limiter.js';

/** What a process brings along; a test puts its own in the place of the last three. */
export interface Parts {
  database: Database;
  /** Marks what is ours at the relay provider. */
  installationId: string;
  clock: Clock;
  waker: JobWaker;
  jobLog: JobLog;
  createRateLimiter: (rules: RateRules) => RateLimiter;
  /** On whose behalf this process asks the relay provider. */
  share: 'interactive' | 'background';
  jobs?: JobQueue;
  relay?: RelayProvider;
  dns?: DnsResolver;
}

/** Wires everything a process needs, once. The database is open and migrated; nothing runs yet. */
export function createContainer(config: Readonly<Config>, parts: Parts): Container {
  const container = new Container();
  bindValue(container, Database, parts.database);
  bindValue(container, Clock, parts.clock);
  bindValue(container, JobWaker, parts.waker);
  bindValue(container, JobLog, parts.jobLog);
  const registry = new Registry();
  bindValue(container, Meters, new PrometheusMeters(registry));
  bindValue(container, ServiceMetrics, new ServiceMetrics(container, registry));
  if (parts.jobs !== undefined) bindValue(container, JobQueue, parts.jobs);
  if (parts.relay !== undefined) bindValue(container, RelayProvider, parts.relay);
  if (parts.dns !== undefined) bindValue(container, DnsResolver, parts.dns);
  bindDatabase(container, config);
  bindSecurity(container, config);
  bindPartners(container);
  bindDomains(container, config);
  bindMailboxes(container, config);
  bindOutbound(container);
  bindRelay(container, config, {
    installationId: parts.installationId,
    share: parts.share,
    createRateLimiter: parts.createRateLimiter,
  });
  bindJobs(container, config);
  return container;
}

/** Reads a binding with the type of its token. */
export function resolve<T>(container: Container, token: Token<T>): T {
  return container.get<T>(token as never);
}

function bindValue<T>(container: Container, token: Token<T>, value: T): void {
  container.bind<T>(token as never).toConstantValue(value);
}
