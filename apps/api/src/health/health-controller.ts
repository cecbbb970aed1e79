import type { HealthCheck } from '@mailstead/core/health-check';
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

class ReadyAnswer {
  @Text() status!: string;
  @Text() version!: string;
  @ListOf(CheckAnswer) checks!: CheckAnswer[];
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
      summary: 'Tell whether everything the service needs is there',
      answer: ReadyAnswer,
      run: async () => {
        const checks = await Promise.all(use.checks.map(async (check) => present(check.name, await check.problem())));
        const ready = checks.every(({ status }) => status === 'ok');
        return new StatusAnswer(ready ? 200 : 503, {
          status: ready ? 'ok' : 'unavailable',
          version: API_VERSION,
          checks,
        });
      },
    }),
  ];
}

function present(name: string, problem: string | null): CheckAnswer {
  return { name, status: problem === null ? 'ok' : 'unavailable', detail: problem };
}
