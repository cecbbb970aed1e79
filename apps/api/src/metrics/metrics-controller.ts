import { timingSafeEqual } from 'node:crypto';
import type { ServiceMetrics } from '@mailstead/adapters/metrics/service-metrics';
import { AppError } from '@mailstead/core/errors';
import type { Authenticator } from '@mailstead/core/operators/authenticator';
import { authorize } from '../http/authorize.js';
import { PlainResponse } from '../http/responses.js';
import { type Controller, type Route, route } from '../http/route.js';

export class MetricsController implements Controller {
  constructor(
    private readonly metrics: ServiceMetrics,
    private readonly authenticator: Authenticator,
    private readonly token: string | null,
  ) {}

  routes(): Route[] {
    return [
      route({
        method: 'get',
        path: '/metrics',
        // The authenticator does not know METRICS_TOKEN, so the route checks the header.
        access: 'public',
        summary: 'Get the metrics for Prometheus; requires the master token, the read scope or METRICS_TOKEN',
        response: null,
        run: async ({ headers }) => {
          if (!isMetricsToken(headers.authorization, this.token)) {
            const caller = await this.authenticator.authenticate(headers.authorization);
            authorize(caller, { access: 'master', method: 'get' });
            if (caller.kind === 'client') throw new AppError('master_token_required');
          }
          return new PlainResponse(this.metrics.registry.contentType, await this.metrics.text());
        },
      }),
    ];
  }
}

function isMetricsToken(header: string | undefined, token: string | null): boolean {
  if (header === undefined || token === null) return false;
  const given = Buffer.from(header);
  const expected = Buffer.from(`Bearer ${token}`);
  return given.length === expected.length && timingSafeEqual(given, expected);
}
