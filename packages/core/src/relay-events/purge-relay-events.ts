import { DAY_MS, DatabaseClock } from '../clock.js';
import type { JobCounts } from '../jobs/jobs.js';
import { needs } from '../needs.js';
import { repeatUntilNone } from '../repeat-until-none.js';
import { BounceLog } from './bounce-log.js';
import { RelayEventInbox } from './relay-event-inbox.js';

/** Longer than the maximum age of an accepted event (14 days) and than the bounce window (30 days). */
const KEPT_MS = 35 * DAY_MS;
const BOUNCES_KEPT_MS = 30 * DAY_MS;
const ROWS_PER_CHUNK = 5_000;

/** Deletes inbox rows and counted effects after 35 days, and listed bounces after 30 days. */
@needs(RelayEventInbox, BounceLog, DatabaseClock)
export class PurgeRelayEvents {
  constructor(
    private readonly inbox: RelayEventInbox,
    private readonly bounces: BounceLog,
    private readonly clock: DatabaseClock,
  ) {}

  async execute(): Promise<JobCounts> {
    const now = (await this.clock.time()).getTime();
    const before = (keptMs: number) => new Date(now - keptMs);
    return {
      deleted: await repeatUntilNone(() => this.inbox.deleteOld(before(KEPT_MS), ROWS_PER_CHUNK)),
      bounces: await repeatUntilNone(() => this.bounces.deleteOld(before(BOUNCES_KEPT_MS), ROWS_PER_CHUNK)),
    };
  }
}
