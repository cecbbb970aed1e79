import { type Clock, DAY_MS } from '../clock.js';
import type { JobCounts } from '../jobs/jobs.js';
import type { RelayEventInbox } from './relay-event-inbox.js';

/** Longer than the maximum age of an accepted event (14 days) and than the bounce window (30 days). */
const KEPT_MS = 35 * DAY_MS;
const ROWS_PER_CHUNK = 5_000;

/** Deletes inbox rows and counted effects after 35 days. */
export class PurgeRelayEvents {
  constructor(
    private readonly inbox: RelayEventInbox,
    private readonly clock: Clock,
  ) {}

  async execute(): Promise<JobCounts> {
    const before = new Date(this.clock.now().getTime() - KEPT_MS);
    let deleted = 0;
    for (let chunk = ROWS_PER_CHUNK; chunk > 0; deleted += chunk)
      chunk = await this.inbox.deleteOld(before, ROWS_PER_CHUNK);
    return { deleted };
  }
}
