import { type HealthCheck, readinessOf } from '@mailstead/core/health-check';
import { StatusResponse } from '../http/answers.js';
import { ListOf, Text } from '../http/fields.js';
import { API_VERSION } from '../http/http.js';
import { type Controller, type Route, route } from '../http/route.js';

class HealthResponse {
  @Text() status!: string;
  @Text() version!: string;
}

class CheckResponse {
  @Text() name!: string;
  @Text() status!: string;
  @Text({ nullable: true }) detail!: string | null;
}

class WarningResponse {
  @Text() name!: string;
  @Text() detail!: string;
}

class ReadyResponse {
  @Text() status!: string;
  @Text() version!: string;
  @ListOf(CheckResponse) checks!: CheckResponse[];
  @ListOf(WarningResponse) warnings!: WarningResponse[];
}

export class HealthController implements Controller {
  constructor(private readonly checks: HealthCheck[]) {}

  routes(): Route[] {
    return [
      route({
        method: 'get',
        path: '/health',
        access: 'public',
        summary: 'Tell that the process lives',
        response: HealthResponse,
        run: () => ({ status: 'ok', version: API_VERSION }),
      }),
      route({
        method: 'get',
        path: '/health/ready',
        access: 'public',
        summary: 'Tell whether this process can serve, and what else is wrong',
        response: ReadyResponse,
        run: async () => {
          const { isReady, checks, warnings } = await readinessOf(this.checks);
          return new StatusResponse(isReady ? 200 : 503, {
            status: isReady ? 'ok' : 'unavailable',
            version: API_VERSION,
            checks: checks.map(({ name, detail }) => present(name, detail)),
            warnings,
          });
        },
      }),
    ];
  }
}

function present(name: string, problem: string | null): CheckResponse {
  return { name, status: problem === null ? 'ok' : 'unavailable', detail: problem };
}
