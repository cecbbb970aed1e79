import { ListOf, Text } from '../http/fields.js';

export class HealthResponse {
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

export class ReadyResponse {
  @Text() status!: string;
  @Text() version!: string;
  @ListOf(CheckResponse) checks!: CheckResponse[];
  @ListOf(WarningResponse) warnings!: WarningResponse[];
}

export function presentCheck(name: string, problem: string | null): CheckResponse {
  return { name, status: problem === null ? 'ok' : 'unavailable', detail: problem };
}
