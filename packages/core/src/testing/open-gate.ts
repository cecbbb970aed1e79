import type { Clock } from '../clock.js';
import { JobGate } from '../jobs/job-gate.js';

/** Lets jobs and schedules run at every time of a clock, until a test closes it. */
export class OpenGate extends JobGate {
  isOpen = true;

  constructor(private readonly clock: Clock) {
    super();
  }

  override async enter(): Promise<Date | null> {
    return this.isOpen ? this.clock.now() : null;
  }
}
