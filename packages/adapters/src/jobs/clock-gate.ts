import { JobGate } from '@mailstead/core/jobs/job-gate';
import { Meters } from '@mailstead/core/meters';
import { needs } from '@mailstead/core/needs';
import { ClockCheck } from '../database/health/clock-check.js';
import { SchemaCheck } from '../database/health/schema-check.js';
import { JobLog } from './job-log.js';

/**
 * Closed while the clock is wrong, and for a process that is too old for the schema. Logs when jobs and schedules begin
 * to wait for a clock, and when they go on.
 */
@needs(ClockCheck, SchemaCheck, JobLog, Meters)
export class ClockGate extends JobGate {
  private isWaiting = false;

  constructor(
    private readonly check: Pick<ClockCheck, 'examine'>,
    private readonly schema: Pick<SchemaCheck, 'problem'>,
    private readonly log: JobLog,
    private readonly meters: Meters,
  ) {
    super();
  }

  override async enter(): Promise<Date | null> {
    const { at, wrong } = await this.check.examine();
    const isWaiting = wrong !== null;
    if (isWaiting !== this.isWaiting) this.log.clock(wrong);
    this.isWaiting = isWaiting;
    this.meters.clockWrong(isWaiting);
    return isWaiting || (await this.schema.problem()) !== null ? null : at;
  }
}
