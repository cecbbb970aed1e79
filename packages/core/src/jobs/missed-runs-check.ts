import { HealthCheck } from '../health-check.js';
import { needs } from '../needs.js';
import { RunSchedules } from './run-schedules.js';

/** Warns of schedules that missed their newest due period. The process still serves requests. */
@needs(RunSchedules)
export class MissedRunsCheck extends HealthCheck {
  override readonly name = 'schedules';
  override readonly isWarning = true;

  constructor(private readonly schedules: RunSchedules) {
    super();
  }

  override async problem(): Promise<string | null> {
    try {
      const missed = await this.schedules.missed();
      return missed.length === 0 ? null : `These schedules missed their last run: ${missed.join(', ')}`;
    } catch {
      return 'The run ledger cannot be read';
    }
  }
}
