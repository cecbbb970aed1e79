import type { AttentionList } from '../attention/attention-list.js';
import type { DatabaseClock } from '../clock.js';
import type { MendCounts } from '../counts/mend-counts.js';
import type { StoredCopies } from '../counts/stored-copies.js';
import type { IdempotencyStore } from '../operators/idempotency-store.js';
import type { PurgeOutboundRows } from '../outbound/purge-outbound-rows.js';
import type { PurgeRelayEvents } from '../relay-events/purge-relay-events.js';
import { repeatUntilNone } from '../repeat-until-none.js';
import type { JobCounts } from './jobs.js';
import type { PurgeRecords } from './purge-records.js';
import type { RunInProgress } from './schedules.js';

const HOURS_PER_DAY = 24;

/**
 * Deletes old rows that are no longer needed, and checks the stored counts. Each hour of the day checks a fixed slice
 * of the partners and domains, so all are checked once a day and no position has to be stored. May be interrupted and
 * run again.
 */
export class Housekeeping {
  constructor(
    private readonly outbound: PurgeOutboundRows,
    private readonly relayEvents: PurgeRelayEvents,
    private readonly records: PurgeRecords,
    private readonly idempotency: IdempotencyStore,
    private readonly mendCounts: MendCounts,
    private readonly attention: AttentionList,
    private readonly copies: StoredCopies,
    private readonly clock: DatabaseClock,
  ) {}

  async execute({ period }: Pick<RunInProgress, 'period'>): Promise<JobCounts> {
    const now = await this.clock.time();
    const slice = { of: HOURS_PER_DAY, remainder: period.dueAt.getUTCHours() };
    const outbound = await this.outbound.execute();
    const relayEvents = await this.relayEvents.execute();
    return {
      ...outbound,
      relay_events: relayEvents.deleted ?? 0,
      bounces: relayEvents.bounces ?? 0,
      ...(await this.records.execute()),
      idempotency: await repeatUntilNone(() => this.idempotency.purge(now)),
      ...(await this.mendCounts.execute(slice)),
      attention: await this.attention.sweep(slice, now),
      copies_mended: await this.copies.mend(slice, now),
    };
  }
}
