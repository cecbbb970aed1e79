import type { Config } from '@mailstead/adapters/config';
import { resolve } from '@mailstead/adapters/container';
import { Clock } from '@mailstead/core/clock';
import { Authenticator } from '@mailstead/core/operators/authenticator';
import { IdempotencyStore } from '@mailstead/core/operators/idempotency-store';
import { UnitOfWork } from '@mailstead/core/unit-of-work';
import type { Application } from 'express';
import type { Container } from 'inversify';
import { createApp } from './app.js';
import { Idempotency } from './idempotency.js';
import type { RequestLog } from './request-log.js';
import type { Route } from './route.js';
import { createRoutes } from './routes.js';

/** The application of one process: its routes, mounted with who guards them. */
export function createService(
  container: Container,
  _config: Readonly<Config>,
  log: RequestLog,
): { app: Application; routes: Route[] } {
  const routes = createRoutes(container, []);
  const idempotency = new Idempotency(
    resolve(container, IdempotencyStore),
    resolve(container, UnitOfWork),
    resolve(container, Clock),
  );
  const app = createApp(routes, { authenticator: resolve(container, Authenticator), idempotency, log });
  return { app, routes };
}
