import { utcDay } from '@mailstead/core/clock';
import { type BounceWindow, windowStartDay } from '@mailstead/core/outbound/bounce-rule';
import type { SentMessageEvent } from '@mailstead/core/outbound/outbound-ledger';
import type { Database, Parameter } from '../driver/database.js';

/** Adds up the bounce window of a domain: the rows of its past days and the counter of the current day. */
export async function readWindow(
  database: Database,
  domainId: number,
  bounceWindowStart: Date | null,
  now: Date,
): Promise<Pick<BounceWindow, 'sent' | 'bounces' | 'complaints'>> {
  const firstDay = windowStartDay(now, bounceWindowStart);
  const [row] = await database.read(
    `SELECT COALESCE(SUM(sent), 0) AS sent, COALESCE(SUM(bounces), 0) AS bounces, COALESCE(SUM(complaints), 0) AS complaints,
            (SELECT sent_today FROM outbound_counter WHERE domain_id = ? AND day >= ?) AS open
       FROM outbound_day WHERE domain_id = ? AND day >= ?`,
    [domainId, firstDay, domainId, firstDay],
  );
  const sent = Number(row?.sent) + Number(row?.open ?? 0);
  return { sent, bounces: Number(row?.bounces), complaints: Number(row?.complaints) };
}

/** @returns a row for each day of the domain's window on which one of the messages was sent */
export function bounceDays(
  domainId: number,
  events: readonly SentMessageEvent[],
  bounceWindowStart: Date | null,
  now: Date,
): Parameter[][] {
  const firstDay = windowStartDay(now, bounceWindowStart);
  const days = new Map<string, { bounces: number; complaints: number }>();
  for (const { kind, sentAt } of events) {
    const day = utcDay(sentAt);
    if (day < firstDay || (bounceWindowStart !== null && sentAt < bounceWindowStart)) continue;
    const counts = days.get(day) ?? { bounces: 0, complaints: 0 };
    counts[kind === 'bounce' ? 'bounces' : 'complaints'] += 1;
    days.set(day, counts);
  }
  return Array.from(days, ([day, { bounces, complaints }]) => [domainId, day, 0, bounces, complaints]);
}
