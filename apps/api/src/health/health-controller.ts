import { type HealthCheck, readinessOf } from '@mailstead/core/health-check';
import { StatusAnswer } from '../answers.js';
import { ListOf, Text } from '../fields.js';
import { API_VERSION } from '../http.js';
import { type Route, route } from '../route.js';

class HealthAnswer {
  @Text() status!: string;
  @Text() version!: string;
}

class CheckAnswer {
  @Text() name!: string;
  @Text() status!: string;
  @Text({ nullable: true }) detail!: string | null;
}

class WarningAnswer {
  @Text() name!: string;
  @Text() detail!: string;
}

class ReadyAnswer {
  @Text() status!: string;
  @Text() version!: string;
  @ListOf(CheckAnswer) checks!: CheckAnswer[];
  @ListOf(WarningAnswer) warnings!: WarningAnswer[];
}

export function healthController(use: { checks: HealthCheck[] }): Route[] {
  return [
    route({
      method: 'get',
      path: '/health',
      access: 'public',
      summary: 'Tell that the process lives',
      answer: HealthAnswer,
      run: () => ({ status: 'ok', version: API_VERSION }),
    }),
    route({
      method: 'get',
      path: '/health/ready',
      access: 'public',
      summary: 'Tell whether this process can serve, and what else is wrong',
      answer: ReadyAnswer,
      run: async () => {
        const { isReady, checks, warnings } = await readinessOf(use.checks);
        return new StatusAnswer(isReady ? 200 : 503, {
          status: isReady ? 'ok' : 'unavailable',
          version: API_VERSION,
          checks: checks.map(({ name, detail }) => present(name, detail)),
          warnings,
        });
      },
    }),
  ];
}

function present(name: string, problem: string | null): CheckAnswer {
  return { name, status: problem === null ? 'ok' : 'unavailable', detail: problem };
}
