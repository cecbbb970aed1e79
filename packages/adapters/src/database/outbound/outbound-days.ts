import { setImmediate as nextTurn } from 'node:timers/promises';
import { DAY_MS, utcDay, utcMonth } from '@mailstead/core/clock';
import { OUTBOUND_DAYS, type OutboundDay, type PartnerSent } from '@mailstead/core/outbound/outbound-reader';
import type { Database, Parameter, Row } from '../driver/database.js';

/** The domains that one statement adds up: 12 ms of SQLite, in which the process does nothing else. */
const DOMAINS_PER_READ = 500;

/**
 * The sums of each day over some domains. A counter has the messages of its own day, which may be a past one, until the next
 * message of the domain moves them into `outbound_day`. This does not depend on resets, so the epoch is not compared.
 *
 * @param from the tables and the condition; the counted table is `n`
 */
function sumsOf(from: (table: string) => string): string {
  return `SELECT day, SUM(sent) AS sent, SUM(bounces) AS bounces, SUM(complaints) AS complaints FROM (
            SELECT n.day, n.sent, n.bounces, n.complaints FROM ${from('outbound_day')}
             UNION ALL
            SELECT n.day, n.sent_today, 0, 0 FROM ${from('outbound_counter')}) AS counted
           GROUP BY day`;
}

const OF_DOMAIN = sumsOf((table) => `${table} n WHERE n.domain_id = ? AND n.day >= ?`);
const OF_PARTNER = sumsOf(
  (table) =>
    `domain d JOIN ${table} n ON n.domain_id = d.id WHERE d.partner_id = ? AND d.id > ? AND d.id <= ? AND n.day >= ?`,
);

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

export async function readPartnerDays(database: Database, partnerId: number, now: Date): Promise<OutboundDay[]> {
  const days = new Days(now);
  for (let after: number | null = 0; after !== null; ) {
    const last = await lastOfNext(database, partnerId, after);
    const parameters: Parameter[] = [partnerId, after, last ?? Number.MAX_SAFE_INTEGER, days.first];
    days.add(await database.read(OF_PARTNER, [...parameters, ...parameters]));
    after = last;
    await nextTurn();
  }
  return days.list;
}

export async function readPartnerSent(database: Database, partnerId: number, now: Date): Promise<PartnerSent> {
  const [row] = await database.read(SENT_OF_PARTNER, [utcDay(now), utcMonth(now), partnerId]);
  return { sentToday: Number(row?.sent_today ?? 0), sentThisMonth: Number(row?.sent_month ?? 0) };
}

/** @returns the last of the partner's next `DOMAINS_PER_READ` domains; null when there are fewer. */
async function lastOfNext(database: Database, partnerId: number, after: number): Promise<number | null> {
  const [row] = await database.read(
    `SELECT id FROM domain WHERE partner_id = ? AND id > ? ORDER BY id LIMIT 1 OFFSET ${DOMAINS_PER_READ - 1}`,
    [partnerId, after],
  );
  return row === undefined ? null : Number(row.id);
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
