import type { Server } from 'node:http';
import { fileURLToPath } from 'node:url';
import type { Config } from '@mailstead/adapters/config';
import { listOf } from '@mailstead/adapters/config-lists';
import { Database } from '@mailstead/adapters/database/driver/database';
import { mailSettingsOf } from '@mailstead/adapters/mail-settings';
import { ServiceMetrics } from '@mailstead/adapters/metrics/service-metrics';
import { IGNORED_HEADERS, RequestOrigins, TrustProxyCheck } from '@mailstead/adapters/network/request-origins';
import { type HealthCheck, ShutdownCheck } from '@mailstead/core/health-check';
import { RateLimits } from '@mailstead/core/limits/rate-limits';
import { Authenticator } from '@mailstead/core/operators/authenticator';
import { CsrfTokens } from '@mailstead/core/sessions/csrf-tokens';
import type { Container } from 'inversify';
import { createApp } from './app.js';
import { bindControllers } from './controllers.js';
import type { StreamTimes } from './events/event-stream.js';
import { Admission } from './http/admission.js';
import type { HttpTimeouts } from './http/http-server.js';
import { Idempotency } from './http/idempotency.js';
import { ListTurns } from './http/list-turns.js';
import type { RequestLog } from './http/request-log.js';
import type { Route } from './http/route.js';
import { SessionGuard } from './http/session-guard.js';
import { CountedRequests } from './metrics/request-metrics.js';
import { BuiltPage } from './portal/built-page.js';
import { PortalPages } from './portal/portal-pages.js';
import { PortalUrls } from './portal-links/portal-urls.js';

/** Where `npm run portal` writes the page. */
const PORTAL_FOLDER = fileURLToPath(new URL('../../portal/dist/page', import.meta.url));

/** What only tests set. */
export interface ServiceTimes {
  /** Maximum wait of a list for requests that arrived before its next chunk. */
  listMaxWaitMs?: number;
  timeouts?: HttpTimeouts;
  streams?: Partial<StreamTimes>;
  portalFolder?: string;
}

/**
 * Creates the HTTP server of one process from the bindings of the container. It does not listen yet.
 *
 * @throws Error when a binding is missing or circular.
 */
export function createService(
  container: Container,
  config: Readonly<Config>,
  checks: HealthCheck[],
  log: RequestLog,
  { listMaxWaitMs, timeouts, streams = {}, portalFolder = PORTAL_FOLDER }: ServiceTimes = {},
): { server: Server; routes: Route[] } {
  const database = container.get(Database);
  const origins = new RequestOrigins(listOf(config.trustProxy), () => log.warning(IGNORED_HEADERS));
  const parts = {
    checks: [...checks, new TrustProxyCheck(origins)],
    metricsToken: config.metricsToken,
    portalUrls: new PortalUrls(config.publicUrl),
    streamTimes: streams,
    mailSettings: mailSettingsOf(config),
    served: () => routes,
  };
  const routes: Route[] = bindControllers(container, parts).flatMap((controller) => container.get(controller).routes());
  const options = {
    admission: new Admission(
      container.get(Authenticator),
      container.get(RateLimits),
      origins,
      new SessionGuard(origins, container.get(CsrfTokens), config.publicUrl),
    ),
    idempotency: container.get(Idempotency),
    log: new CountedRequests(log, container.get(ServiceMetrics).registry),
    shutdown: container.get(ShutdownCheck),
    readFor: database.readFor.bind(database),
    changesOf: database.turns.of.bind(database.turns),
    turns: new ListTurns(database.dialect.listChunkRows, listMaxWaitMs),
  };
  const pages = new PortalPages(new BuiltPage(portalFolder)).routes();
  return { server: createApp([...routes, ...pages], options, timeouts), routes };
}
