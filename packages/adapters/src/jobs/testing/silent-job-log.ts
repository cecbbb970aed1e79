import type { ScheduleOutcome } from '@mailstead/core/jobs/run-schedules';
import type { FailedDelivery } from '@mailstead/core/notifications/delivery-log';
import { JobLog } from '../job-log.js';

/**
 * Writes no log. Keeps the runs of schedules, the failed deliveries, the errors of sweeps and the changes of the clock
 * for tests.
 */
export class SilentJobLog extends JobLog {
  readonly schedules: { name: string; outcome: string }[] = [];
  readonly failedDeliveries: FailedDelivery[] = [];
  readonly errors: unknown[] = [];
  readonly clocks: (string | null)[] = [];

  override ran(): void {}

  override scheduled({ name, outcome }: ScheduleOutcome): void {
    this.schedules.push({ name, outcome });
  }

  override undelivered(delivery: FailedDelivery): void {
    this.failedDeliveries.push(delivery);
  }

  override clock(wrong: string | null): void {
    this.clocks.push(wrong);
  }

  override stalled(error: unknown): void {
    this.errors.push(error);
  }
  override copiesCorrected(): void {}
}
