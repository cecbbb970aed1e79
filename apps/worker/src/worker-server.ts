import { timingSafeEqual } from 'node:crypto';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { Config } from '@mailstead/adapters/config';
import { hasBearer } from '@mailstead/adapters/crypto/bearer-token';
import type { ServiceProcess } from '@mailstead/adapters/service-process';
import { RETRY_AFTER_S, type Readiness, SharedReadiness } from '@mailstead/core/health-check';
import { inTurn } from '@mailstead/core/http/pipelines';

/**
 * Creates the HTTP server of a worker: `/health`, `/health/ready`, which says what is wrong only with METRICS_TOKEN,
 * and `/metrics`, which requires it.
 */
export function createWorkerServer(
  { checks, config, shutdown }: Pick<ServiceProcess, 'checks' | 'shutdown'> & { config: Pick<Config, 'metricsToken'> },
  metrics: { registry: { contentType: string }; text: () => Promise<string> },
): Server {
  const readiness = new SharedReadiness(checks);
  const expected = Buffer.from(`Bearer ${config.metricsToken}`);
  const isAllowed = (header = '') => {
    const given = Buffer.from(header);
    return given.length === expected.length && timingSafeEqual(given, expected);
  };
  const serve = (request: IncomingMessage, response: ServerResponse): void => {
    if (shutdown.isStopping) response.setHeader('Connection', 'close');
    const respond = async (): Promise<void> => {
      const { method, url } = request;
      const { authorization } = request.headers;
      const isReadiness = url === '/health/ready';
      if (method !== 'GET') return json(response, 405, { status: 'method_not_allowed' });
      if (url === '/health') return json(response, 200, { status: 'ok' });
      if (!isReadiness && url !== '/metrics') return json(response, 404, { status: 'route_not_found' });
      if (isReadiness && !hasBearer(authorization)) {
        return ready(response, { isReady: await readiness.isReady() });
      }
      if (!isAllowed(authorization)) return json(response, 401, { status: 'invalid_token' });
      if (isReadiness) return ready(response, await readiness.read());
      response
        .writeHead(200, { 'Content-Type': metrics.registry.contentType, 'Cache-Control': 'no-store' })
        .end(await metrics.text());
    };
    respond().catch(() => json(response, 503, { status: 'unavailable' }));
  };
  return createServer(inTurn(serve));
}

function ready(response: ServerResponse, { isReady, ...told }: { isReady: boolean } & Partial<Readiness>): void {
  json(response, isReady ? 200 : 503, { status: isReady ? 'ok' : 'unavailable', ...told });
}

function json(response: ServerResponse, status: number, body: object): void {
  response
    .writeHead(status, {
      'Content-Type': 'application/json',
      'Cache-Control': 'no-store',
      ...(status === 503 ? { 'Retry-After': RETRY_AFTER_S } : {}),
    })
    .end(JSON.stringify(body));
}
