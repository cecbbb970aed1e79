import { readinessOf } from '@mailstead/core/health-check';
import { needs } from '@mailstead/core/needs';
import { SOFTWARE_VERSION } from '@mailstead/core/software-version';
import { StatusResponse } from '../http/responses.js';
import { type Controller, type Route, route } from '../http/route.js';
import { HealthChecks } from './health-checks.js';
import { HealthResponse, presentCheck, ReadyResponse } from './health-dto.js';

@needs(HealthChecks)
export class HealthController implements Controller {
  constructor(private readonly checks: HealthChecks) {}

  routes(): Route[] {
    return [
      route({
        method: 'get',
        path: '/health',
        access: 'public',
        anyInput: true,
        summary: 'Check that the process runs',
        response: HealthResponse,
        run: () => ({ status: 'ok', version: SOFTWARE_VERSION }),
      }),
      route({
        method: 'get',
        path: '/health/ready',
        access: 'public',
        anyInput: true,
        summary: 'Check whether this process can serve requests',
        alsoStatuses: [503],
        response: ReadyResponse,
        run: async () => {
          const { isReady, checks, warnings } = await readinessOf(this.checks.all);
          return new StatusResponse(isReady ? 200 : 503, {
            status: isReady ? 'ok' : 'unavailable',
            version: SOFTWARE_VERSION,
            checks: checks.map(({ name, detail }) => presentCheck(name, detail)),
            warnings,
          });
        },
      }),
    ];
  }
}
