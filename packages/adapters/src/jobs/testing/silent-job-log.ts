import { JobLog } from '../job-log.js';

/** Writes no log. Keeps the runs of schedules and the errors of sweeps for tests. */
export class SilentJobLog extends JobLog {
  readonly schedules: { name: string; outcome: string }[] = [];
  readonly errors: unknown[] = [];

  override ran(): void {}

  override scheduled(name: string, outcome: string): void {
    this.schedules.push({ name, outcome });
  }

  override stalled(error: unknown): void {
    this.errors.push(error);
  }
}
