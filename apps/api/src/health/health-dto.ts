import { ListOf, Text } from '../http/fields.js';

export class HealthResponse {
  @Text({ description: '`ok`', example: 'ok' }) status!: string;
  @Text({ description: 'The release of the software', example: '5.2.0' }) version!: string;
}

class CheckResponse {
  @Text({ description: 'What was checked', example: 'database' }) name!: string;
  @Text({ description: '`ok` or `unavailable`', example: 'ok' }) status!: string;
  @Text({ nullable: true, description: 'The problem; null when there is none', example: null }) detail!: string | null;
}

class WarningResponse {
  @Text({ description: 'The name of the check that found a problem', example: 'schedules' }) name!: string;
  @Text({
    description: 'The problem, which does not stop the service',
    example: 'These schedules missed their last run: retention.purge',
  })
  detail!: string;
}

export class ReadyResponse {
  @Text({ description: '`ok` or `unavailable`', example: 'ok' }) status!: string;
  @Text({ description: 'The release of the software', example: '5.2.0' }) version!: string;
  @ListOf(CheckResponse, {
    optional: true,
    description: 'What must work for this process to serve. Only for master, the scope `read` and METRICS_TOKEN',
  })
  checks?: CheckResponse[];
  @ListOf(WarningResponse, {
    optional: true,
    description: 'Problems that do not stop this process from serving. For the same callers',
  })
  warnings?: WarningResponse[];
}

export function presentCheck(name: string, problem: string | null): CheckResponse {
  return { name, status: problem === null ? 'ok' : 'unavailable', detail: problem };
}
