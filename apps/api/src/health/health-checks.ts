import { type HealthCheck, SharedReadiness } from '@mailstead/core/health-check';
import { needs } from '@mailstead/core/needs';

/** The checks of this process. `createService` fills the list. */
@needs()
export class HealthChecks {
  readonly all: HealthCheck[] = [];
  readiness = new SharedReadiness(this.all);

  /** Sets how old a shared result may be, milliseconds. For tests. */
  set maxAgeMs(maxAgeMs: number) {
    this.readiness = new SharedReadiness(this.all, maxAgeMs);
  }
}
