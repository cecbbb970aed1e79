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
 * Creates the HTTP application of one process from the bindings of the container.
 *
 * @param listMaxWaitMs maximum wait of a list for requests that arrived before its next chunk; only tests set it.
 * @throws Error when a binding is missing or circular.
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
