import type { RequestListener } from 'node:http';
import type { Config } from '@mailstead/adapters/config';
import { resolve } from '@mailstead/adapters/container';
import { Database } from '@mailstead/adapters/database/driver/database';
import { ServiceMetrics } from '@mailstead/adapters/metrics/service-metrics';
import { Clock } from '@mailstead/core/clock';
import type { HealthCheck } from '@mailstead/core/health-check';
import { Authenticator } from '@mailstead/core/operators/authenticator';
import { IdempotencyStore } from '@mailstead/core/operators/idempotency-store';
import { UnitOfWork } from '@mailstead/core/unit-of-work';
import type { Container } from 'inversify';
import { createApp } from './app.js';
import { Idempotency } from './http/idempotency.js';
import { ListTurns } from './http/list-turns.js';
import type { RequestLog } from './http/request-log.js';
import type { Route } from './http/route.js';
import { CountedRequests } from './metrics/request-metrics.js';
import { createRoutes } from './routes.js';

/** The application of one process: its routes, mounted with who guards them. */
export function createService(
  container: Container,
  config: Readonly<Config>,
  checks: HealthCheck[],
  log: RequestLog,
  patienceMs?: number,
): { app: RequestListener; routes: Route[] } {
  const metrics = resolve(container, ServiceMetrics);
  const routes = createRoutes(container, { checks, metrics, metricsToken: config.metricsToken });
  const idempotency = new Idempotency(
    resolve(container, IdempotencyStore),
    resolve(container, UnitOfWork),
    resolve(container, Clock),
  );
  const app = createApp(routes, {
    authenticator: resolve(container, Authenticator),
    idempotency,
    log: new CountedRequests(log, metrics.registry),
    turns: new ListTurns(resolve(container, Database).dialect.listChunkRows, patienceMs),
  });
  return { app, routes };
}
