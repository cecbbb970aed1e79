import { DAY_MS } from '@mailstead/core/clock';
import { oldestMonthWithDays } from '@mailstead/core/usage/usage-month';
import { chunksOf } from '../driver/chunks.js';
import { type Database, placeholders, textOrNull } from '../driver/database.js';
import type { UsageDay } from './usage-statements.js';
import { TOTALS } from './usage-totals.js';

/**
 * The row of `installation` with the time from which days are replaced, epoch milliseconds; empty before the first run.
 * Its lock lets one process at a time replace days.
 */
const SUMMED_FROM = 'usage_months_from';
/** So long processes of the former release, which know only days, may run beside this one. @until 5.3 */
const WAIT_MS = 7 * DAY_MS;

/**
 * Replaces the days of the next names of a month, which must not change any more. The names that are left follow those
 * that are done, because the names of a month are done in their order.
 *
 * @returns the number of replaced days
 */
export async function sumNext(database: Database, month: string, names: number, now: Date): Promise<number> {
  if (!(await mayReplace(database, now))) return 0;
  const [done] = await database.read(
    'SELECT position, name FROM usage_month WHERE month = ? ORDER BY position DESC LIMIT 1',
    [month],
  );
  const after = textOrNull(done?.name) ?? '';
  const found = await database.read(
    'SELECT DISTINCT name FROM usage_day WHERE month = ? AND name > ? ORDER BY name LIMIT ?',
    [month, after, names],
  );
  const last = textOrNull(found.at(-1)?.name);
  if (last === null) return 0;
  const columns = Object.keys(TOTALS);
  await database.write(
    `INSERT INTO usage_month (month, position, partner_id, name, plan, ${columns.join(', ')})
     SELECT u.month, ? + ROW_NUMBER() OVER (ORDER BY u.name, u.partner_id, u.plan), u.partner_id, u.name, u.plan,
            ${Object.values(TOTALS).join(', ')}
       FROM usage_day u WHERE u.month = ? AND u.name > ? AND u.name <= ?
      GROUP BY u.month, u.name, u.partner_id, u.plan`,
    [Number(done?.position ?? 0), month, after, last],
  );
  const { affected } = await database.write('DELETE FROM usage_day WHERE month = ? AND name > ? AND name <= ?', [
    month,
    after,
    last,
  ]);
  return affected;
}

/**
 * The days that already count in a month whose days are no longer kept, as `day name`. Such a day is the last one that
 * a deleted domain counts on, because the domain whose days are written late began on it. It is found without an index:
 * only a domain whose days nobody closed for three months asks.
 */
export async function countedInMonths(
  database: Database,
  days: readonly Pick<UsageDay, 'day' | 'name'>[],
  now: Date,
): Promise<ReadonlySet<string>> {
  const counted = new Set<string>();
  const oldest = oldestMonthWithDays(now);
  for (const chunk of chunksOf(
    days.filter(({ day }) => monthOf(day) < oldest),
    ({ day, name }) => [monthOf(day), day, name],
  )) {
    const months = [...new Set(chunk.map(({ day }) => monthOf(day)))];
    const dates = [...new Set(chunk.map(({ day }) => day))];
    const names = [...new Set(chunk.map(({ name }) => name))];
    const rows = await database.read(
      `SELECT last_held_day, name FROM usage_month
        WHERE month IN (${placeholders(months)}) AND last_held_day IN (${placeholders(dates)}) AND name IN (${placeholders(names)})`,
      [...months, ...dates, ...names],
    );
    for (const row of rows) counted.add(`${String(row.last_held_day)} ${String(row.name)}`);
  }
  return counted;
}

function monthOf(day: string): string {
  return day.slice(0, 'YYYY-MM'.length);
}

async function mayReplace(database: Database, now: Date): Promise<boolean> {
  const [row] = await database.read(`SELECT value FROM installation WHERE name = ?${database.dialect.forUpdate}`, [
    SUMMED_FROM,
  ]);
  if (row === undefined) return false;
  if (row.value !== '') return Number(row.value) <= now.getTime();
  const from = String(now.getTime() + WAIT_MS);
  await database.write('UPDATE installation SET value = ? WHERE name = ?', [from, SUMMED_FROM]);
  return false;
}
