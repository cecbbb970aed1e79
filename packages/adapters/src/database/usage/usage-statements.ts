import { monthStart } from '@mailstead/core/outbound/outbound-period';
import type { ClosedDay, CountedMail, OpenDays, UsedMail } from '@mailstead/core/usage/close-days';
import { invoiceMonth } from '@mailstead/core/usage/usage-month';
import { chunksOf } from '../driver/chunks.js';
import { type Database, type Parameter, placeholders, type Row, textOrNull } from '../driver/database.js';

/*
 * Plain SQL: `usage.snapshot` closes the days of 500 domains in eight statements (`docs/performance.md`).
 */

/** A domain with days that may be closed. Its row is locked. */
export interface OpenUsage extends Omit<OpenDays, 'day'> {
  domainId: number;
  /** Null for a domain of an earlier release. */
  day: string | null;
  name: string;
  partnerId: number;
  plan: string | null;
  externalRef: string | null;
  billingRef: string | null;
}

/** A row of `usage_day`. */
export interface UsageDay
  extends ClosedDay,
    Pick<OpenUsage, 'name' | 'partnerId' | 'plan' | 'externalRef' | 'billingRef'> {
  month: string;
  held: boolean;
}

const COLUMNS = [
  'month',
  'name',
  'day',
  'partner_id',
  'plan',
  'external_ref',
  'billing_ref',
  'held',
  'mailboxes',
  'sent',
  'bytes',
  'bytes_in',
  'bounces',
];

/** Reads locked domains with their counters. */
export async function readOpen(database: Database, ids: readonly number[]): Promise<OpenUsage[]> {
  const rows = await database.read(
    `SELECT d.id, d.name, d.partner_id, d.plan, d.external_ref, d.billing_ref, d.usage_day, d.usage_mailboxes, d.mailbox_count,
            c.month AS counted_month, c.sent, c.bytes, c.bytes_in, c.bounces
       FROM domain d LEFT JOIN usage_counted c ON c.domain_id = d.id
      WHERE d.id IN (${placeholders(ids)}) ORDER BY d.id`,
    [...ids],
  );
  const found = rows.map(toOpen);
  const days = found.flatMap(({ day, counted }) => [day, counted === null ? null : `${counted.month}-01`]);
  const first = days.filter((day) => day !== null).sort()[0];
  if (first !== undefined) await readCounters(database, found, first);
  return found;
}

type Writable = OpenUsage & { months: Map<string, UsedMail>; sentOn: Map<string, number> };

/**
 * Counters and history in one statement, because freezing moves from one to the other.
 *
 * @param since the first day that matters
 */
async function readCounters(database: Database, found: Writable[], since: string): Promise<void> {
  const ids = found.map(({ domainId }) => domainId);
  const list = placeholders(ids);
  const rows = await database.read(
    `SELECT domain_id, month, 0 AS started_at, sent_month AS sent, bytes_month AS bytes, bytes_in_month AS bytes_in, bounces_month AS bounces, day, sent_today
       FROM outbound_counter WHERE domain_id IN (${list})
      UNION ALL
     SELECT domain_id, NULL, period_start, sent, bytes, bytes_in, bounces, NULL, 0
       FROM outbound_history WHERE domain_id IN (${list}) AND period_start >= ?
      UNION ALL
     SELECT domain_id, NULL, 0, 0, 0, 0, 0, day, sent
       FROM outbound_day WHERE domain_id IN (${list}) AND day > ?`,
    [...ids, ...ids, monthStart(since.slice(0, 7)).getTime(), ...ids, since],
  );
  const byId = new Map(found.map((each) => [each.domainId, each]));
  for (const row of rows) addCounts(byId.get(Number(row.domain_id)), row);
}

function addCounts(open: Writable | undefined, row: Row): void {
  if (open === undefined) return;
  const startedAt = Number(row.started_at);
  const month = startedAt > 0 ? new Date(startedAt).toISOString().slice(0, 7) : textOrNull(row.month);
  if (month !== null && month !== '') {
    const sum = open.months.get(month) ?? { sent: 0, bytes: 0, bytesIn: 0, bounces: 0 };
    sum.sent += Number(row.sent);
    sum.bytes += Number(row.bytes);
    sum.bytesIn += receivedBytes(row);
    sum.bounces += Number(row.bounces);
    open.months.set(month, sum);
  }
  const day = textOrNull(row.day);
  if (day === null || day === '') return;
  open.sentOn.set(day, (open.sentOn.get(day) ?? 0) + Number(row.sent_today));
}

function toOpen(row: Row): Writable {
  return {
    domainId: Number(row.id),
    name: String(row.name),
    partnerId: Number(row.partner_id),
    plan: textOrNull(row.plan),
    externalRef: textOrNull(row.external_ref),
    billingRef: textOrNull(row.billing_ref),
    day: textOrNull(row.usage_day),
    mailboxes: Number(row.usage_mailboxes),
    mailboxCount: Number(row.mailbox_count),
    counted: toCounted(row),
    months: new Map(),
    sentOn: new Map(),
  };
}

/** A process of the former release writes the sum alone: the part may be one of another month. @until 5.3 */
function receivedBytes({ bytes, bytes_in }: Row): number {
  return Math.min(Number(bytes_in), Number(bytes));
}

function toCounted(row: Row): CountedMail | null {
  const { sent, bytes, bounces } = row;
  const month = textOrNull(row.counted_month);
  if (month === null) return null;
  return { month, sent: Number(sent), bytes: Number(bytes), bytesIn: receivedBytes(row), bounces: Number(bounces) };
}

/** Adds to the rows of the same name, day and partner: the partner may have had the name before on that day. */
export async function writeDays(database: Database, days: readonly UsageDay[]): Promise<void> {
  const { dialect } = database;
  const inserted = (column: string) => dialect.inserted(column);
  const sum = (column: string) => `${column} = usage_day.${column} + ${inserted(column)}`;
  const highest = dialect.greatest('usage_day.mailboxes', inserted('mailboxes'));
  const assignments = [
    ...['plan', 'external_ref', 'billing_ref', 'held'].map((column) => `${column} = ${inserted(column)}`),
    `mailboxes = CASE WHEN ${inserted('held')} = 0 THEN 0 ELSE ${highest} END`,
    ...['sent', 'bytes', 'bytes_in', 'bounces'].map(sum),
  ].join(', ');
  const conflict = `${dialect.onConflict(['month', 'name', 'day', 'partner_id'])} ${assignments}`;
  for (const chunk of chunksOf(days, valuesOf)) {
    const tuple = `(${COLUMNS.map(() => '?').join(', ')})`;
    await database.write(
      `INSERT INTO usage_day (${COLUMNS.join(', ')}) VALUES ${chunk.map(() => tuple).join(', ')} ${conflict}`,
      chunk.flatMap(valuesOf),
    );
  }
}

function valuesOf(day: UsageDay): Parameter[] {
  return [
    day.month,
    day.name,
    day.day,
    day.partnerId,
    day.plan,
    day.externalRef,
    day.billingRef,
    day.held ? 1 : 0,
    day.mailboxes,
    day.sent,
    day.bytes,
    day.bytesIn,
    day.bounces,
  ];
}

/**
 * The days that already count in a month that is closed, as `day name`. A day that is written late must not count
 * again.
 */
export async function countedBefore(database: Database, days: readonly UsageDay[]): Promise<ReadonlySet<string>> {
  const counted = new Set<string>();
  for (const chunk of chunksOf(days, ({ name }) => [name, name])) {
    const names = [...new Set(chunk.map(({ name }) => name))];
    const dates = [...new Set(chunk.map(({ day }) => day))];
    const rows = await database.read(
      `SELECT day, name FROM usage_day WHERE day IN (${placeholders(dates)}) AND name IN (${placeholders(names)}) AND held = 1`,
      [...dates, ...names],
    );
    for (const { day, name } of rows) counted.add(`${String(day)} ${String(name)}`);
  }
  return counted;
}

/** What another partner had on a day no longer counts, because this partner has the name now. */
export async function takeOverDay(database: Database, day: string, name: string, partnerId: number): Promise<void> {
  await database.write(
    'UPDATE usage_day SET held = 0, mailboxes = 0, storage_mb = NULL WHERE day = ? AND name = ? AND partner_id <> ?',
    [day, name, partnerId],
  );
}

export async function writeCounted(
  database: Database,
  counted: readonly { domainId: number; counted: CountedMail }[],
): Promise<void> {
  const { dialect } = database;
  const columns = ['month', 'sent', 'bytes', 'bytes_in', 'bounces'];
  const assignments = columns.map((column) => `${column} = ${dialect.inserted(column)}`).join(', ');
  const values = ({
    domainId,
    counted: { month, sent, bytes, bytesIn, bounces },
  }: (typeof counted)[number]): Parameter[] => [domainId, month, sent, bytes, bytesIn, bounces];
  for (const chunk of chunksOf(counted, values)) {
    await database.write(
      `INSERT INTO usage_counted (domain_id, ${columns.join(', ')}) VALUES ${chunk.map(() => '(?, ?, ?, ?, ?, ?)').join(', ')}
       ${dialect.onConflict(['domain_id'])} ${assignments}`,
      chunk.flatMap(values),
    );
  }
}

/** The counters of a moved domain are copied for its former partner: what they have now is in closed days already. */
export async function copyCounted(database: Database, domainId: number, to: number): Promise<void> {
  await database.write(
    `INSERT INTO usage_counted (domain_id, month, sent, bytes, bytes_in, bounces)
     SELECT ?, month, sent_month, bytes_month, bytes_in_month, bounces_month FROM outbound_counter WHERE domain_id = ? AND month <> ''`,
    [to, domainId],
  );
}

export async function openDays(database: Database, ids: readonly number[], today: string): Promise<void> {
  await database.write(
    `UPDATE domain SET usage_day = ?, usage_mailboxes = mailbox_count WHERE id IN (${placeholders(ids)})`,
    [today, ...ids],
  );
}

/** The rows of a domain's closed days. */
export function toUsageDays(
  { name, partnerId, plan, externalRef, billingRef }: OpenUsage,
  days: readonly ClosedDay[],
  now: Date,
): UsageDay[] {
  return days.map((each) => ({
    ...each,
    name,
    partnerId,
    plan,
    externalRef,
    billingRef,
    month: invoiceMonth(each.day, now),
    held: true,
  }));
}
