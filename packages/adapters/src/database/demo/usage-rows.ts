import { DAY_MS, utcDay, utcMonth } from '@mailstead/core/clock';
import type { Database } from '../driver/database.js';
import type { ManyRowsOptions, PlacedDomain } from './demo-rows.js';
import { idsOf } from './sent-mail-rows.js';

/**
 * Adds what `usage.snapshot` writes each night: the usage of each ended day of these 30, and how much of the counters
 * is in it. @returns the number of rows
 */
export async function addUsage(
  database: Database,
  placed: readonly PlacedDomain[],
  { now, bytesPerMessage }: Pick<ManyRowsOptions, 'now' | 'bytesPerMessage'>,
): Promise<number> {
  const ago = (days: number) => new Date(now.getTime() - days * DAY_MS);
  const ended = Array.from({ length: (placed[0]?.sent.length ?? 1) - 1 }, (_, index) => utcDay(ago(index + 1)));
  if (ended.length === 0) return 0;
  const days = await database.write(
    `INSERT INTO usage_day (month, name, day, partner_id, held, mailboxes, sent, bytes, bounces)
     SELECT SUBSTR(n.day, 1, 7), d.name, n.day, d.partner_id, 1, d.mailbox_count, COALESCE(s.sent, 0), COALESCE(s.sent, 0) * ?, 0
       FROM domain d CROSS JOIN (${ended.map(() => 'SELECT ? AS day').join(' UNION ALL ')}) n
       LEFT JOIN (SELECT domain_id, day, SUM(sent) AS sent FROM outbound_sender GROUP BY domain_id, day) s
         ON s.domain_id = d.id AND s.day = n.day
      WHERE d.id >= ? AND d.id <= ?`,
    [bytesPerMessage, ...ended, ...idsOf(placed)],
  );
  const month = utcMonth(ago(1));
  const counted = await database.write(
    `INSERT INTO usage_counted (domain_id, month, sent, bytes, bounces)
     SELECT domain_id, ?, SUM(sent), SUM(sent) * ?, 0 FROM outbound_sender
      WHERE day >= ? AND day < ? AND domain_id >= ? AND domain_id <= ? GROUP BY domain_id`,
    [month, bytesPerMessage, `${month}-01`, utcDay(now), ...idsOf(placed)],
  );
  return days.affected + counted.affected;
}
