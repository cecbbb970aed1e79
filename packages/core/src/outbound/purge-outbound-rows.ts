import { DAY_MS, DatabaseClock } from '../clock.js';
import { needs } from '../needs.js';
import { repeatUntilNone } from '../repeat-until-none.js';
import { OutboundPeriods, type OutboundRows } from './outbound-periods.js';

/**
 * Days that rows are kept. The bounce window is 30 days; ten more days are for late bounces and for diagnosis by
 * operators.
 */
const KEPT_DAYS: Record<OutboundRows, number> = { increments: 1, senders: 40, days: 40 };
const ROWS_PER_CHUNK = 2_000;

/**
 * Deletes rows that are no longer needed: ids after 24 hours, senders and days after 40 days. May be interrupted and
 * run again.
 */
@needs(OutboundPeriods, DatabaseClock)
export class PurgeOutboundRows {
  constructor(
    private readonly periods: OutboundPeriods,
    private readonly clock: DatabaseClock,
  ) {}

  async execute(): Promise<Record<OutboundRows, number>> {
    const counts: Record<OutboundRows, number> = { increments: 0, senders: 0, days: 0 };
    const now = (await this.clock.time()).getTime();
    for (const rows of ['increments', 'senders', 'days'] as const) {
      const before = new Date(now - KEPT_DAYS[rows] * DAY_MS);
      counts[rows] = await repeatUntilNone(() => this.periods.deleteOld(rows, before, ROWS_PER_CHUNK));
    }
    return counts;
  }
}
