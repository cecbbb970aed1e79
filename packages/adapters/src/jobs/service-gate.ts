import { JobGate } from '@mailstead/core/jobs/job-gate';
import { needs } from '@mailstead/core/needs';
import { RestoreGate } from '@mailstead/core/recovery/restore-gate';
import { DerivedCheck } from '../database/health/derived-check.js';
import { ClockGate } from './clock-gate.js';

/**
 * Closed while a restored database is not accepted, while derived rows are compared after a changed schema, and while
 * the clock is wrong.
 */
@needs(RestoreGate, DerivedCheck, ClockGate)
export class ServiceGate extends JobGate {
  constructor(
    private readonly restore: RestoreGate,
    private readonly derived: Pick<DerivedCheck, 'isWaiting'>,
    private readonly clock: JobGate,
  ) {
    super();
  }

  override async enter(): Promise<Date | null> {
    return this.restore.isClosed || this.derived.isWaiting ? null : this.clock.enter();
  }
}
