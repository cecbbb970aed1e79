import { DAY_MS, utcDay, utcMonth } from '@mailstead/core/clock';
import { OUTBOUND_DAYS, type OutboundDay, type PartnerSent } from '@mailstead/core/outbound/outbound-reader';
import { type Database, placeholders, type Row } from '../driver/database.js';
import { ALL_PARTNERS } from './partner-days.js';

/**
 * The days of a domain. A counter has the messages of its own day, which may be a past one, until the next
 * message of the domain moves them into `outbound_day`. This does not depend on resets, so the epoch is not compared.
 */
const OF_DOMAIN = `
  SELECT day, sent, bounces, complaints FROM outbound_day WHERE domain_id = ? AND day >= ?
   UNION ALL
  SELECT day, sent_today, 0, 0 FROM outbound_counter WHERE domain_id = ? AND day >= ?`;
const OF_PARTNERS = 'SELECT day, sent, bounces, complaints FROM outbound_partner_day WHERE partner_id IN';

/** A counter of an earlier day, month or epoch counts as 0, as in `OutboundCounter`. */
const SENT_OF_PARTNER = `
  SELECT COALESCE(SUM(CASE WHEN n.day >= ? AND n.day_epoch = e.day_epoch THEN n.sent_today ELSE 0 END), 0) AS sent_today,
         COALESCE(SUM(CASE WHEN n.month >= ? AND n.month_epoch = e.month_epoch THEN n.sent_month ELSE 0 END), 0) AS sent_month
    FROM outbound_epoch e JOIN domain d ON d.partner_id = ? JOIN outbound_counter n ON n.domain_id = d.id
   WHERE e.id = 1`;

export async function readDomainDays(database: Database, domainId: number, now: Date): Promise<OutboundDay[]> {
  const days = new Days(now);
  const parameters = [domainId, days.first];
  days.add(await database.read(OF_DOMAIN, [...parameters, ...parameters]));
  return days.list;
}

export function readPartnerDays(database: Database, partnerId: number, now: Date): Promise<OutboundDay[]> {
  return daysOf(database, [partnerId], now);
}

export function readAllDays(database: Database, now: Date): Promise<OutboundDay[]> {
  return daysOf(database, ALL_PARTNERS, now);
}

async function daysOf(database: Database, partnerIds: readonly number[], now: Date): Promise<OutboundDay[]> {
  const days = new Days(now);
  const sql = `${OF_PARTNERS} (${placeholders(partnerIds)}) AND day >= ?`;
  days.add(await database.read(sql, [...partnerIds, days.first]));
  return days.list;
}

export async function readPartnerSent(database: Database, partnerId: number, now: Date): Promise<PartnerSent> {
  const [row] = await database.read(SENT_OF_PARTNER, [utcDay(now), utcMonth(now), partnerId]);
  return { sentToday: Number(row?.sent_today ?? 0), sentThisMonth: Number(row?.sent_month ?? 0) };
}

/** The last days, with zeros until rows are added. */
class Days {
  private readonly byDay: Map<string, OutboundDay>;

  constructor(now: Date) {
    const days = Array.from({ length: OUTBOUND_DAYS }, (_, index) =>
      utcDay(new Date(now.getTime() - (OUTBOUND_DAYS - 1 - index) * DAY_MS)),
    );
    this.byDay = new Map(days.map((day) => [day, { day, sent: 0, bounces: 0, complaints: 0 }]));
  }

  get list(): OutboundDay[] {
    return [...this.byDay.values()];
  }

  get first(): string {
    return this.list[0]?.day ?? '';
  }

  /** A later day counts as today: the clock of another process was past midnight first. */
  add(rows: readonly Row[]): void {
    const today = this.list.at(-1);
    for (const { day, sent, bounces, complaints } of rows) {
      const sums = this.byDay.get(String(day)) ?? today;
      if (sums === undefined) continue;
      sums.sent += Number(sent);
      sums.bounces += Number(bounces);
      sums.complaints += Number(complaints);
    }
  }
}
