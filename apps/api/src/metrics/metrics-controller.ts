import { timingSafeEqual } from 'node:crypto';
import { AppError } from '@mailstead/core/errors';
import type { Authenticator } from '@mailstead/core/operators/authenticator';
import { PlainAnswer } from '../answers.js';
import { authorize } from '../authorize.js';
import { type Route, route } from '../route.js';
import type { ServiceMetrics } from './service-metrics.js';

const CONTENT_TYPE = 'text/plain; version=0.0.4; charset=utf-8';

export function metricsController(use: {
  metrics: ServiceMetrics;
  authenticator: Authenticator;
  token: string | null;
}): Route[] {
  return [
    route({
      method: 'get',
      path: '/metrics',
      // Its own token is none that the authenticator knows, so the route looks at the header itself.
      access: 'public',
      summary: 'Metrics for Prometheus; master, the read scope, or METRICS_TOKEN',
      run: async ({ headers }) => {
        if (!isMetricsToken(headers.authorization, use.token)) {
          const caller = await use.authenticator.authenticate(headers.authorization);
          authorize(caller, { access: 'master', method: 'get' });
          if (caller.kind === 'client') throw new AppError('master_token_required');
        }
        return new PlainAnswer(CONTENT_TYPE, await use.metrics.text());
      },
    }),
  ];
}

function isMetricsToken(header: string | undefined, token: string | null): boolean {
  if (header === undefined || token === null) return false;
  const given = Buffer.from(header);
  const expected = Buffer.from(`Bearer ${token}`);
  return given.length === expected.length && timingSafeEqual(given, expected);
}
