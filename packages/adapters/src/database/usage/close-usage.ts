import { DAY_MS, utcDay } from '@mailstead/core/clock';
import { type CountedMail, closeDays } from '@mailstead/core/usage/close-days';
import type { Database } from '../driver/database.js';
import { countedInMonths } from './usage-months.js';
import {
  countedBefore,
  type OpenUsage,
  openDays,
  readOpen,
  toUsageDays,
  type UsageDay,
  writeCounted,
  writeDays,
} from './usage-statements.js';

/** Why a partner no longer has a name: the day still counts for it after a deletion, not after a move. */
type Leaving = 'deleted' | 'moved';

/**
 * Closes the ended days of domains that are locked.
 * @returns the number of days
 */
export async function closeEnded(database: Database, ids: readonly number[], now: Date): Promise<number> {
  const found = await readOpen(database, ids);
  const yesterday = utcDay(new Date(now.getTime() - DAY_MS));
  const days = await write(database, found, yesterday, now);
  await openDays(database, ids, utcDay(now));
  return days.length;
}

/**
 * Closes all days of a locked domain, today included, because its partner no longer has it. The counter is locked, so
 * that nothing is counted for the partner afterwards.
 */
export async function closeLeft(database: Database, domainId: number, now: Date, leaving: Leaving): Promise<void> {
  const { forUpdate } = database.dialect;
  await database.read(`SELECT domain_id FROM outbound_counter WHERE domain_id = ?${forUpdate}`, [domainId]);
  const found = await readOpen(database, [domainId]);
  const today = utcDay(now);
  for (const open of found) {
    open.day ??= today;
    // The clock of another process was past midnight first.
    const last = open.day > today ? open.day : today;
    await write(database, [open], last, now, leaving);
    await openDays(database, [domainId], last);
  }
}

async function write(
  database: Database,
  found: readonly OpenUsage[],
  last: string,
  now: Date,
  leaving: Leaving | null = null,
): Promise<UsageDay[]> {
  const days: UsageDay[] = [];
  const counted: { domainId: number; counted: CountedMail }[] = [];
  for (const open of found) {
    if (open.day === null || open.day > last) continue;
    const closed = closeDays({ ...open, day: open.day }, last);
    days.push(...toUsageDays(open, closed.days, now));
    if (closed.counted !== null && !isSame(closed.counted, open.counted)) {
      counted.push({ domainId: open.domainId, counted: closed.counted });
    }
  }
  const lastDay = days.at(-1);
  if (leaving === 'moved' && lastDay !== undefined) Object.assign(lastDay, { held: false, mailboxes: 0 });
  await uncountLate(database, days, now);
  await writeDays(database, days);
  await writeCounted(database, counted);
  return days;
}

/** A name whose day counts in its own month, which is closed, is not counted again in the later month. */
async function uncountLate(database: Database, days: UsageDay[], now: Date): Promise<void> {
  const late = days.filter(({ month, day }) => !day.startsWith(month));
  if (late.length === 0) return;
  const counted = await countedBefore(database, late);
  // After the days: what is summed meanwhile is found in one of the two.
  const ofMonths = await countedInMonths(database, late, now);
  for (const each of late) {
    const key = `${each.day} ${each.name}`;
    if (counted.has(key) || ofMonths.has(key)) Object.assign(each, { held: false, mailboxes: 0 });
  }
}

function isSame(one: CountedMail, other: CountedMail | null): boolean {
  return (
    other !== null &&
    one.month === other.month &&
    one.sent === other.sent &&
    one.bytes === other.bytes &&
    one.bytesIn === other.bytesIn &&
    one.bounces === other.bounces
  );
}
