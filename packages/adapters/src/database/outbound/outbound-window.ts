import { utcDay } from '@mailstead/core/clock';
import { type BounceWindow, windowStartDay } from '@mailstead/core/outbound/bounce-rule';
import type { SentMessageEvent } from '@mailstead/core/outbound/outbound-ledger';
import type { OutboundDay } from '@mailstead/core/outbound/outbound-reader';
import type { Database } from '../driver/database.js';

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

/** @returns the events of messages that were sent in the domain's window */
export function eventsInWindow(
  events: readonly SentMessageEvent[],
  bounceWindowStart: Date | null,
  now: Date,
): SentMessageEvent[] {
  const firstDay = windowStartDay(now, bounceWindowStart);
  return events.filter(
    ({ sentAt }) => utcDay(sentAt) >= firstDay && (bounceWindowStart === null || sentAt >= bounceWindowStart),
  );
}

/** @returns what bounced of the messages of each day */
export function bouncesByDay(events: readonly SentMessageEvent[]): OutboundDay[] {
  const days = new Map<string, OutboundDay>();
  for (const { kind, sentAt } of events) {
    const day = utcDay(sentAt);
    const counts = days.get(day) ?? { day, sent: 0, bounces: 0, complaints: 0 };
    counts[kind === 'bounce' ? 'bounces' : 'complaints'] += 1;
    days.set(day, counts);
  }
  return [...days.values()];
}
