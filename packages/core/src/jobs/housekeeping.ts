import { AttentionList } from '../attention/attention-list.js';
import { RewriteLogos } from '../brands/rewrite-logos.js';
import { DatabaseClock } from '../clock.js';
import { CorrectCounts } from '../counts/correct-counts.js';
import { StoredCopies } from '../counts/stored-copies.js';
import { needs } from '../needs.js';
import { IdempotencyStore } from '../operators/idempotency-store.js';
import { PurgeOutboundRows } from '../outbound/purge-outbound-rows.js';
import { PurgeRelayEvents } from '../relay-events/purge-relay-events.js';
import { repeatUntilNone } from '../repeat-until-none.js';
import type { JobCounts } from './jobs.js';
import { PurgeRecords } from './purge-records.js';
import type { RunInProgress } from './schedules.js';

const HOURS_PER_DAY = 24;

/**
 * Deletes old rows that are no longer needed, checks the stored counts, and writes logos of former rules anew. Each
 * hour of the day checks a fixed slice of the partners and domains, so all are checked once a day and no position has
 * to be stored. May be interrupted and run again.
 */
@needs(
  PurgeOutboundRows,
  PurgeRelayEvents,
  PurgeRecords,
  IdempotencyStore,
  CorrectCounts,
  AttentionList,
  StoredCopies,
  RewriteLogos,
  DatabaseClock,
)
export class Housekeeping {
  constructor(
    private readonly outbound: PurgeOutboundRows,
    private readonly relayEvents: PurgeRelayEvents,
    private readonly records: PurgeRecords,
    private readonly idempotency: IdempotencyStore,
    private readonly correctCounts: CorrectCounts,
    private readonly attention: AttentionList,
    private readonly copies: StoredCopies,
    private readonly logos: RewriteLogos,
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
      ...(await this.correctCounts.execute(slice)),
      attention: await this.attention.sweep(slice, now),
      copies_mended: await this.copies.correct(slice, now),
      ...(await this.logos.execute()),
    };
  }
}
