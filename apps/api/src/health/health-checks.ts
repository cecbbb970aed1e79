import type { HealthCheck } from '@mailstead/core/health-check';
import { needs } from '@mailstead/core/needs';

/** The checks of this process. `createService` fills the list. */
@needs()
export class HealthChecks {
  readonly all: HealthCheck[] = [];
}
