import { DAY_MS, utcDay } from '@mailstead/core/clock';
import { OUTBOUND_DAYS } from '@mailstead/core/outbound/outbound-reader';
import type { Database } from '../driver/database.js';
import { CORRECTION, type PartnerDay, setPartnerDays } from '../outbound/partner-days.js';
import type { NoteCorrected } from './sql-stored-copies.js';

const COUNTS = ['sent', 'bounces', 'complaints'] as const;

/** What the days of partners have and those of all partners have not, beside what the correction has now. */
const MISSING = `
  SELECT day, ${COUNTS.map((column) => `${missing(column)} AS ${column}, ${known(column)} AS known_${column}`).join(', ')}
    FROM outbound_partner_day WHERE day >= ? AND partner_id <> 0 GROUP BY day
  HAVING ${COUNTS.map((column) => `${missing(column)} <> ${known(column)}`).join(' OR ')}`;

/**
 * Compares the days of all partners with the days of the partners. A transaction writes both or neither, so the
 * difference does not depend on who counts meanwhile, and two processes that correct at once set the same.
 */
export async function correctAllDays(database: Database, now: Date, noteCorrected: NoteCorrected): Promise<void> {
  const first = utcDay(new Date(now.getTime() - (OUTBOUND_DAYS - 1) * DAY_MS));
  const days = (await database.read(MISSING, [first])).map(
    (row): PartnerDay => ({
      partnerId: CORRECTION,
      day: String(row.day),
      sent: Number(row.sent),
      bounces: Number(row.bounces),
      complaints: Number(row.complaints),
    }),
  );
  const statement = setPartnerDays(database.dialect, days);
  if (statement === null) return;
  await database.write(statement.sql, statement.parameters);
  noteCorrected(
    'outbound_partner_day',
    days.map(({ partnerId }) => partnerId),
  );
}

function missing(column: string): string {
  return `SUM(CASE WHEN partner_id > 0 THEN ${column} WHEN partner_id <> ${CORRECTION} THEN -${column} ELSE 0 END)`;
}

function known(column: string): string {
  return `SUM(CASE WHEN partner_id = ${CORRECTION} THEN ${column} ELSE 0 END)`;
}
