import type { RequestListener } from 'node:http';
import type { Config } from '@mailstead/adapters/config';
import { Database } from '@mailstead/adapters/database/driver/database';
import { ServiceMetrics } from '@mailstead/adapters/metrics/service-metrics';
import type { HealthCheck } from '@mailstead/core/health-check';
import { Authenticator } from '@mailstead/core/operators/authenticator';
import type { Container } from 'inversify';
import { createApp } from './app.js';
import { bindControllers } from './controllers.js';
import { Idempotency } from './http/idempotency.js';
import { ListTurns } from './http/list-turns.js';
import type { RequestLog } from './http/request-log.js';
import type { Route } from './http/route.js';
import { CountedRequests } from './metrics/request-metrics.js';

/**
 * The application of one process: its routes, mounted with who guards them. Takes all that they need from the container.
 *
 * @param listMaxWaitMs how long a list waits for the requests before it; only tests say
 * @throws Error when a binding is missing or needs itself
 */
export function createService(
  container: Container,
  config: Readonly<Config>,
  checks: HealthCheck[],
  log: RequestLog,
  listMaxWaitMs?: number,
): { app: RequestListener; routes: Route[] } {
  const parts = { checks, metricsToken: config.metricsToken, served: () => routes };
  const routes: Route[] = bindControllers(container, parts).flatMap((controller) => container.get(controller).routes());
  const app = createApp(routes, {
    authenticator: container.get(Authenticator),
    idempotency: container.get(Idempotency),
    log: new CountedRequests(log, container.get(ServiceMetrics).registry),
    turns: new ListTurns(container.get(Database).dialect.listChunkRows, listMaxWaitMs),
  });
  return { app, routes };
}
