import { DAY_MS, utcDay, utcMonth } from '@mailstead/core/clock';
import { monthStart } from '@mailstead/core/outbound/outbound-period';
import { chunksOf } from '../driver/chunks.js';
import type { Database, Parameter } from '../driver/database.js';
import { addToPartnerDays, type PartnerDay } from '../outbound/partner-days.js';
import type { ManyRowsOptions, PlacedDomain } from './demo-rows.js';
import { insertRows } from './insert-rows.js';

/** Messages of a domain on a day on which it sent some. */
interface SentDay {
  domain: PlacedDomain;
  day: string;
  sent: number;
}

/**
 * Adds what counted mail leaves: the counter of the last day and month, rows of the days and months before, what each
 * sender sent, and the days of the partners. @returns the number of rows
 */
export async function addSentMail(
  database: Database,
  placed: readonly PlacedDomain[],
  { now, bytesPerMessage }: Pick<ManyRowsOptions, 'now' | 'bytesPerMessage'>,
): Promise<number> {
  const days = placed.map((domain) => daysOf(domain, now));
  const ended = days.flatMap((each) => each.slice(0, -1));
  const [epoch] = await database.read('SELECT day_epoch, month_epoch FROM outbound_epoch WHERE id = 1');
  const epochs = { day_epoch: Number(epoch?.day_epoch), month_epoch: Number(epoch?.month_epoch) };
  const counts = [
    await insertRows(
      database,
      'outbound_day',
      ['domain_id', 'day', 'sent', 'partner_sent'],
      ended.map(({ domain, day, sent }) => [domain.id, day, sent, sent]),
      { bounces: 0, complaints: 0 },
    ),
    await insertRows(
      database,
      'outbound_counter',
      COUNTER,
      days.flatMap((each) => counterOf(each, bytesPerMessage)),
      { ...epochs, bounces_month: 0, complaints_month: 0 },
    ),
    await insertRows(
      database,
      'outbound_history',
      ['domain_id', 'period_start', 'period_end', 'sent', 'bytes'],
      days.flatMap((each) => endedMonths(each, bytesPerMessage)),
      { bounces: 0, complaints: 0 },
    ),
    await addSenders(database, placed),
    await addPartnerDays(database, days.flat()),
  ];
  return counts.reduce((sum, count) => sum + count, 0);
}

const COUNTER = [
  'domain_id',
  'day',
  'sent_today',
  'partner_day',
  'partner_sent',
  'month',
  'period_start',
  'sent_month',
  'bytes_month',
];

function daysOf(domain: PlacedDomain, now: Date): SentDay[] {
  const oldest = now.getTime() - (domain.sent.length - 1) * DAY_MS;
  return domain.sent.flatMap((sent, index) =>
    sent > 0 ? [{ domain, day: utcDay(new Date(oldest + index * DAY_MS)), sent }] : [],
  );
}

/** A counter stays at the last day on which something was sent. None when nothing was. */
function counterOf(days: readonly SentDay[], bytesPerMessage: number): Parameter[][] {
  const last = days.at(-1);
  if (last === undefined) return [];
  const { domain, day, sent } = last;
  const month = monthOf(last);
  const sentMonth = sum(days.filter((each) => monthOf(each) === month));
  const start = monthStart(month).getTime();
  return [[domain.id, day, sent, day, sent, month, start, sentMonth, sentMonth * bytesPerMessage]];
}

/** The months before that of the counter. */
function endedMonths(days: readonly SentDay[], bytesPerMessage: number): Parameter[][] {
  const months = [...new Set(days.map(monthOf))].slice(0, -1);
  return months.map((month) => {
    const ofMonth = days.filter((each) => monthOf(each) === month);
    const start = monthStart(month);
    const end = Date.UTC(start.getUTCFullYear(), start.getUTCMonth() + 1, 1);
    const sent = sum(ofMonth);
    return [ofMonth[0]?.domain.id ?? 0, start.getTime(), end, sent, sent * bytesPerMessage];
  });
}

/** Everything was sent by the first mailbox. */
async function addSenders(database: Database, placed: readonly PlacedDomain[]): Promise<number> {
  const { affected } = await database.write(
    `INSERT INTO outbound_sender (domain_id, day, sender, day_epoch, sent)
     SELECT n.domain_id, n.day, m.email, n.day_epoch, n.sent
       FROM (SELECT domain_id, day, 0 AS day_epoch, sent FROM outbound_day
              UNION ALL SELECT domain_id, day, day_epoch, sent_today FROM outbound_counter) n
       JOIN (SELECT domain_id, MIN(id) AS id FROM mailbox GROUP BY domain_id) f ON f.domain_id = n.domain_id
       JOIN mailbox m ON m.id = f.id
      WHERE n.domain_id >= ? AND n.domain_id <= ?`,
    idsOf(placed),
  );
  return affected;
}

async function addPartnerDays(database: Database, days: readonly SentDay[]): Promise<number> {
  const sums = new Map<string, PartnerDay>();
  for (const { domain, day, sent } of days) {
    const key = `${domain.partnerId} ${day}`;
    const known = sums.get(key) ?? { partnerId: domain.partnerId, day, sent: 0, bounces: 0, complaints: 0 };
    sums.set(key, { ...known, sent: known.sent + sent });
  }
  for (const chunk of chunksOf([...sums.values()], Object.values)) {
    const statement = addToPartnerDays(database.dialect, chunk);
    if (statement !== null) await database.write(statement.sql, statement.parameters);
  }
  return sums.size;
}

/** The first and the last id. */
export function idsOf(placed: readonly PlacedDomain[]): [number, number] {
  return [placed[0]?.id ?? 0, placed.at(-1)?.id ?? 0];
}

function monthOf({ day }: SentDay): string {
  return day.slice(0, utcMonth(new Date(0)).length);
}

function sum(days: readonly SentDay[]): number {
  return days.reduce((total, { sent }) => total + sent, 0);
}
