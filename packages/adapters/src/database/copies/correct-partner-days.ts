import { DAY_MS, utcDay } from '@mailstead/core/clock';
import { OUTBOUND_DAYS } from '@mailstead/core/outbound/outbound-reader';
import type { UnitOfWork } from '@mailstead/core/unit-of-work';
import { type Database, placeholders } from '../driver/database.js';
import { lockCounters } from '../outbound/ledger-statements.js';
import { notePartnerDays } from '../outbound/partner-days.js';
import type { IdBlock } from './id-blocks.js';
import type { NoteCorrected } from './sql-stored-copies.js';

/** An increment of these domains waits while they are settled: some 50 ms when each has mail on all days. */
const DOMAINS_AT_ONCE = 50;

/** The domains of a block whose counts are not, or not all, in the days of their partner. */
const UNSETTLED = `
  SELECT c.domain_id FROM outbound_counter c JOIN domain d ON d.id = c.domain_id
   WHERE c.domain_id > ? AND c.domain_id <= ? AND (c.partner_day <> c.day OR c.partner_sent <> c.sent_today)
   UNION
  SELECT n.domain_id FROM outbound_day n JOIN domain d ON d.id = n.domain_id
   WHERE n.domain_id > ? AND n.domain_id <= ? AND n.day >= ?
     AND (n.partner_sent <> n.sent OR n.partner_bounces <> n.bounces OR n.partner_complaints <> n.complaints)
   ORDER BY domain_id`;

/**
 * Adds to the days of partners what is in the counts of domains only. Each domain stores how much of its counts is
 * there, so the difference is exact while others count.
 */
export async function correctPartnerDays(
  database: Database,
  unitOfWork: UnitOfWork,
  { after, last }: IdBlock,
  now: Date,
  noteCorrected: NoteCorrected,
): Promise<void> {
  const first = utcDay(new Date(now.getTime() - (OUTBOUND_DAYS - 1) * DAY_MS));
  const rows = await database.read(UNSETTLED, [after, last, after, last, first]);
  const ids = rows.map(({ domain_id: id }) => Number(id));
  for (let start = 0; start < ids.length; start += DOMAINS_AT_ONCE) {
    const some = ids.slice(start, start + DOMAINS_AT_ONCE);
    await unitOfWork.run(() => settle(database, some, first));
    noteCorrected('outbound_partner_day', some);
  }
}

/** Under the locks of the counters, under which all others count. */
async function settle(database: Database, ids: number[], first: string): Promise<void> {
  await database.together([lockCounters(database.dialect, ids)]);
  const list = placeholders(ids);
  const missing = await database.read(
    `SELECT d.partner_id, n.day, SUM(n.sent) AS sent, SUM(n.bounces) AS bounces, SUM(n.complaints) AS complaints FROM (
       SELECT domain_id, day, sent - partner_sent AS sent, bounces - partner_bounces AS bounces, complaints - partner_complaints AS complaints
         FROM outbound_day WHERE domain_id IN (${list})
        UNION ALL
       SELECT domain_id, day, sent_today, 0, 0 FROM outbound_counter WHERE domain_id IN (${list})
        UNION ALL
       SELECT domain_id, partner_day, -partner_sent, 0, 0 FROM outbound_counter WHERE domain_id IN (${list})) n
       JOIN domain d ON d.id = n.domain_id
      WHERE n.day >= ? GROUP BY d.partner_id, n.day
     HAVING SUM(n.sent) <> 0 OR SUM(n.bounces) <> 0 OR SUM(n.complaints) <> 0`,
    [...ids, ...ids, ...ids, first],
  );
  await database.write(
    `UPDATE outbound_counter SET partner_day = day, partner_sent = sent_today WHERE domain_id IN (${list})`,
    ids,
  );
  await database.write(
    `UPDATE outbound_day SET partner_sent = sent, partner_bounces = bounces, partner_complaints = complaints
      WHERE domain_id IN (${list}) AND day >= ? AND (partner_sent <> sent OR partner_bounces <> bounces OR partner_complaints <> complaints)`,
    [...ids, first],
  );
  notePartnerDays(
    database,
    missing.map((row) => ({
      partnerId: Number(row.partner_id),
      day: String(row.day),
      sent: Number(row.sent),
      bounces: Number(row.bounces),
      complaints: Number(row.complaints),
    })),
  );
}
