import { Config } from '@mailstead/adapters/config';
import { ServiceMetrics } from '@mailstead/adapters/metrics/service-metrics';
import { needs } from '@mailstead/core/needs';
import { Authenticator } from '@mailstead/core/operators/authenticator';
import { RestoreGate } from '@mailstead/core/recovery/restore-gate';
import { authorize, refuseBeforeAccepted } from '../http/authorize.js';
import { PlainResponse } from '../http/responses.js';
import { type Controller, type Route, route } from '../http/route.js';
import { METRICS_READER } from './metrics-reader.js';

/** Who may read the metrics, besides those with `METRICS_TOKEN`. */
const WHO_MAY = { method: 'get', access: 'public', tokenAccess: 'master' } as const;

@needs(ServiceMetrics, Authenticator, Config, RestoreGate)
export class MetricsController implements Controller {
  constructor(
    private readonly metrics: ServiceMetrics,
    private readonly authenticator: Authenticator,
    private readonly config: Pick<Config, 'metricsToken'>,
    private readonly gate: RestoreGate,
  ) {}

  routes(): Route[] {
    return [
      route({
        path: '/metrics',
        // The authenticator does not know METRICS_TOKEN, so the route checks the token itself.
        ...WHO_MAY,
        summary: 'Get the metrics for Prometheus; requires the master token, the read scope or METRICS_TOKEN',
        errors: [
          'missing_token',
          'invalid_token',
          'api_key_inactive',
          'api_key_expired',
          'master_token_required',
          'scope_not_allowed',
          'too_many_wrong_tokens',
          'rate_limited',
          'restore_not_accepted',
        ],
        mediaTypes: ['text/plain'],
        response: null,
        admit: async ({ credentials, charge }) => {
          const caller = await this.authenticator.authenticateOr(this.config.metricsToken, {
            ...credentials,
            cookie: undefined,
          });
          if (caller !== null) refuseBeforeAccepted(caller, this.gate);
          charge(caller ?? METRICS_READER);
          authorize(caller ?? METRICS_READER, WHO_MAY);
        },
        run: async () => new PlainResponse(this.metrics.registry.contentType, await this.metrics.text()),
      }),
    ];
  }
}
