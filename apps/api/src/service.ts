import type { Server } from 'node:http';
import { fileURLToPath } from 'node:url';
import { Config } from '@mailstead/adapters/config';
import { Database } from '@mailstead/adapters/database/driver/database';
import { ServiceMetrics } from '@mailstead/adapters/metrics/service-metrics';
import { IGNORED_HEADERS, RequestOrigins, TrustProxyCheck } from '@mailstead/adapters/network/request-origins';
import { SECOND_MS } from '@mailstead/core/clock';
import { type HealthCheck, ShutdownCheck } from '@mailstead/core/health-check';
import { Demo } from '@mailstead/core/operators/demo';
import type { Container } from 'inversify';
import { createApp } from './app.js';
import { CONTROLLERS } from './controllers.js';
import { ServedRoutes } from './docs/served-routes.js';
import { StreamTimes } from './events/event-stream.js';
import { FrameServer, type FrameServerLimits } from './frames/frame-server.js';
import { FramedRoutes } from './frames/framed-routes.js';
import { HealthChecks } from './health/health-checks.js';
import { Admission } from './http/admission.js';
import { HTTP_TIMEOUTS, type HttpTimeouts } from './http/http-server.js';
import { Idempotency } from './http/idempotency.js';
import { ListTurns } from './http/list-turns.js';
import type { RequestLog } from './http/request-log.js';
import type { Route } from './http/route.js';
import { StrangerTurns } from './http/stranger-turns.js';
import { CountedRequests } from './metrics/request-metrics.js';
import { BuiltPage } from './portal/built-page.js';
import { PortalPages } from './portal/portal-pages.js';

/** Where `npm run portal` writes the page. */
const PORTAL_FOLDER = fileURLToPath(new URL('../../portal/dist/page', import.meta.url));

/** What only tests set. */
export interface ServiceTimes {
  /** Maximum wait of a list for requests that arrived before its next chunk. */
  listMaxWaitMs?: number;
  /** How old the shared result of the health checks may be. */
  readinessMs?: number;
  timeouts?: Partial<HttpTimeouts>;
  streams?: Partial<StreamTimes>;
  portalFolder?: string;
  frameLimits?: FrameServerLimits;
}

/**
 * Creates the servers of one process from the bindings of the container: HTTP, and frames for the policy daemon. They
 * do not listen yet.
 *
 * @throws Error when a binding is missing or circular.
 */
export function createService(
  container: Container,
  checks: HealthCheck[],
  log: RequestLog,
  { listMaxWaitMs, readinessMs, timeouts, streams = {}, portalFolder = PORTAL_FOLDER, frameLimits }: ServiceTimes = {},
): { server: Server; frames: FrameServer; routes: Route[] } {
  const database = container.get(Database);
  container.get(RequestOrigins).onIgnored = () => log.warning(IGNORED_HEADERS);
  const health = container.get(HealthChecks);
  health.all.push(...checks, container.get(TrustProxyCheck));
  if (readinessMs !== undefined) health.maxAgeMs = readinessMs;
  Object.assign(container.get(StreamTimes), streams);
  const routes = CONTROLLERS.flatMap((controller) => container.get(controller).routes());
  container.get(ServedRoutes).all.push(...routes);
  const options = {
    admission: container.get(Admission),
    idempotency: container.get(Idempotency),
    log: new CountedRequests(log, container.get(ServiceMetrics).registry),
    shutdown: container.get(ShutdownCheck),
    readFor: database.readFor.bind(database),
    changesOf: database.turns.of.bind(database.turns),
    turns: new ListTurns(database.dialect.listChunkRows, listMaxWaitMs),
    strangers: new StrangerTurns(container.get(RequestOrigins)),
  };
  const pages = new PortalPages(new BuiltPage(portalFolder), container.get(Demo)).routes();
  const frames = new FrameServer(new FramedRoutes(routes, options), options.shutdown, frameLimits);
  const keepAliveMs = container.get(Config).keepAliveSeconds * SECOND_MS;
  const server = createApp([...routes, ...pages], options, { ...HTTP_TIMEOUTS, keepAliveMs, ...timeouts });
  return { server, frames, routes };
}
