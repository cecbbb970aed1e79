import { timingSafeEqual } from 'node:crypto';
import { createServer, type Server, type ServerResponse } from 'node:http';
import { ServiceMetrics } from '@mailstead/adapters/metrics/service-metrics';
import type { ServiceProcess } from '@mailstead/adapters/service-process';
import { RETRY_AFTER_S, readinessOf } from '@mailstead/core/health-check';

/** Creates the HTTP server of a worker: `/health`, `/health/ready`, and `/metrics`, which requires METRICS_TOKEN. */
export function createWorkerServer(service: ServiceProcess): Server {
  const metrics = service.container.get(ServiceMetrics);
  const expected = Buffer.from(`Bearer ${service.config.metricsToken}`);
  const isAllowed = (header = '') => {
    const given = Buffer.from(header);
    return given.length === expected.length && timingSafeEqual(given, expected);
  };
  return createServer((request, response) => {
    if (service.shutdown.isStopping) response.setHeader('Connection', 'close');
    const respond = async (): Promise<void> => {
      if (request.method !== 'GET') return json(response, 405, { status: 'method_not_allowed' });
      if (request.url === '/health') return json(response, 200, { status: 'ok' });
      if (request.url === '/health/ready') return ready(service, response);
      if (request.url !== '/metrics') return json(response, 404, { status: 'route_not_found' });
      if (!isAllowed(request.headers.authorization)) return json(response, 401, { status: 'invalid_token' });
      response
        .writeHead(200, { 'Content-Type': metrics.registry.contentType, 'Cache-Control': 'no-store' })
        .end(await metrics.text());
    };
    respond().catch(() => json(response, 503, { status: 'unavailable' }));
  });
}

async function ready({ checks }: ServiceProcess, response: ServerResponse): Promise<void> {
  const { isReady, ...found } = await readinessOf(checks);
  json(response, isReady ? 200 : 503, { status: isReady ? 'ok' : 'unavailable', ...found });
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
