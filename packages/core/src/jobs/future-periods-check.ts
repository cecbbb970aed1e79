import { HealthCheck } from '../health-check.js';
import { needs } from '../needs.js';
import { RunSchedules } from './run-schedules.js';

/**
 * Warns of periods in the future in the run ledger. They stop no schedule, but show that a process had a wrong clock.
 */
@needs(RunSchedules)
export class FuturePeriodsCheck extends HealthCheck {
  override readonly name = 'future_periods';
  override readonly isWarning = true;

  constructor(private readonly schedules: RunSchedules) {
    super();
  }

  override async problem(): Promise<string | null> {
    try {
      const names = new Set((await this.schedules.future()).map(({ name }) => name));
      if (names.size === 0) return null;
      return `A process with a wrong clock ran periods in the future of ${[...names].join(', ')}; find it, then remove them with DELETE /jobs/future-periods`;
    } catch {
      return 'The run ledger cannot be read';
    }
  }
}
