import { HealthCheck } from '../health-check.js';
import { needs } from '../needs.js';
import { WatchWorkers } from './watch-workers.js';

/** Warns when no worker runs. The process still serves requests. */
@needs(WatchWorkers)
export class WorkerCheck extends HealthCheck {
  override readonly name = 'worker';
  override readonly isWarning = true;

  constructor(private readonly watch: WatchWorkers) {
    super();
  }

  override async problem(): Promise<string | null> {
    try {
      const stopped = await this.watch.stopped();
      if (stopped === null) return null;
      const { lastSeenAt } = stopped;
      const since = lastSeenAt === null ? 'No worker has run yet' : `No worker runs since ${lastSeenAt.toISOString()}`;
      return `${since}; jobs and schedules wait for one`;
    } catch {
      // `DatabaseCheck` reports a database that does not respond.
      return null;
    }
  }
}
