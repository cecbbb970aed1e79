import { type Clock, DAY_MS } from '../clock.js';
import type { MendCounts } from '../counts/mend-counts.js';
import type { NotificationOutbox } from '../notifications/notification-outbox.js';
import type { IdempotencyStore } from '../operators/idempotency-store.js';
import type { PurgeOutboundRows } from '../outbound/purge-outbound-rows.js';
import type { PurgeRelayEvents } from '../relay-events/purge-relay-events.js';
import type { JobCounts } from './jobs.js';
import type { RunInProgress } from './schedules.js';

const DELIVERED_KEPT_MS = 30 * DAY_MS;
const ROWS_PER_CHUNK = 2_000;
const HOURS_PER_DAY = 24;

/**
 * Deletes old rows that are no longer needed, and checks the stored counts. Each hour of the day checks a fixed slice of the
 * partners and domains, so all are checked once a day and no position has to be stored. May be interrupted and run again.
 */
export class Housekeeping {
  constructor(
    private readonly outbound: PurgeOutboundRows,
    private readonly relayEvents: PurgeRelayEvents,
    private readonly notifications: NotificationOutbox,
    private readonly idempotency: IdempotencyStore,
    private readonly mendCounts: MendCounts,
    private readonly clock: Clock,
  ) {}

  async execute({ period }: Pick<RunInProgress, 'period'>): Promise<JobCounts> {
    const now = this.clock.now();
    const delivered = new Date(now.getTime() - DELIVERED_KEPT_MS);
    return {
      ...(await this.outbound.execute()),
      relay_events: (await this.relayEvents.execute()).deleted ?? 0,
      notifications: await deleteAll(() => this.notifications.deleteDelivered(delivered, ROWS_PER_CHUNK)),
      idempotency: await deleteAll(() => this.idempotency.purge(now)),
      ...(await this.mendCounts.execute({ of: HOURS_PER_DAY, remainder: period.dueAt.getUTCHours() })),
    };
  }
}

async function deleteAll(deleteChunk: () => Promise<number>): Promise<number> {
  let total = 0;
  for (let chunk = await deleteChunk(); chunk > 0; chunk = await deleteChunk()) total += chunk;
  return total;
}
