import { JobLog } from '../job-log.js';

/** Writes nothing; remembers the schedules and the errors of sweeps. */
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
