import type { UsageRow } from './shapes.js';

/** What can be added up over days and domains. */
const ADDED = ['days', 'mailbox_days', 'storage_mb_days', 'sent', 'bytes', 'bytes_in', 'bytes_out', 'bounces'] as const;

export type UsageSum = Record<(typeof ADDED)[number], number> & {
  /** The number of rows: a domain that changed its plan has several. */
  rows: number;
  /** Whether a row had its storage. */
  hasStorage: boolean;
};

/** Adds up the rows of a month by plan. The memory that it needs does not grow with the rows. */
export class UsageSums {
  readonly total = nothing();
  private readonly plans = new Map<string, UsageSum>();

  add(row: UsageRow): void {
    const plan = row.plan ?? '';
    const ofPlan = this.plans.get(plan) ?? nothing();
    this.plans.set(plan, ofPlan);
    for (const sum of [ofPlan, this.total]) {
      for (const field of ADDED) sum[field] += row[field] ?? 0;
      sum.rows += 1;
      sum.hasStorage ||= row.storage_mb_days !== null;
    }
  }

  /** By plan, in the order of their names; null is the sum of the domains without a plan. */
  get byPlan(): { plan: string | null; sum: UsageSum }[] {
    return [...this.plans]
      .sort(([left], [right]) => left.localeCompare(right))
      .map(([plan, sum]) => ({ plan: plan === '' ? null : plan, sum }));
  }
}

function nothing(): UsageSum {
  return {
    days: 0,
    mailbox_days: 0,
    storage_mb_days: 0,
    sent: 0,
    bytes: 0,
    bytes_in: 0,
    bytes_out: 0,
    bounces: 0,
    rows: 0,
    hasStorage: false,
  };
}
