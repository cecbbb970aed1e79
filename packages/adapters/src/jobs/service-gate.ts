import { JobGate } from '@mailstead/core/jobs/job-gate';
import { needs } from '@mailstead/core/needs';
import { RestoreGate } from '@mailstead/core/recovery/restore-gate';
import { ClockGate } from './clock-gate.js';

/** Closed while a restored database is not accepted, and while the clock is wrong. */
@needs(RestoreGate, ClockGate)
export class ServiceGate extends JobGate {
  constructor(
    private readonly restore: RestoreGate,
    private readonly clock: JobGate,
  ) {
    super();
  }

  override async enter(): Promise<Date | null> {
    return this.restore.isClosed ? null : this.clock.enter();
  }
}
