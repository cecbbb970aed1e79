import { DAY_MS, MINUTE_MS, utcDay, utcMonth } from '../clock.js';
import { dayStart } from '../read-time.js';

/** A month closes at 00:00 of this day of the next month. */
const CLOSES_ON_DAY = 4;
/**
 * Transactions stop writing into a month this long before it closes, so that one that began before the close has
 * committed by then.
 */
export const CLOSE_MARGIN_MS = 10 * MINUTE_MS;

/** When a `YYYY-MM` closes: from then on its rows never change. */
function closesAt(month: string): Date {
  return new Date(Date.UTC(Number(month.slice(0, 4)), Number(month.slice(5)), CLOSES_ON_DAY));
}

/** How many months after its close a month has its days. */
const MONTHS_WITH_DAYS = 3;

/** The oldest `YYYY-MM` whose days can be read. A month closed for three months has only its sums. */
export function oldestMonthWithDays(now: Date): string {
  const isClosed = now.getUTCDate() >= CLOSES_ON_DAY;
  const months = isClosed ? MONTHS_WITH_DAYS : MONTHS_WITH_DAYS + 1;
  return utcMonth(new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() - months, 1)));
}

/** The `YYYY-MM` that follows. */
export function nextMonth(month: string): string {
  return utcMonth(new Date(Date.UTC(Number(month.slice(0, 4)), Number(month.slice(5)), 1)));
}

/** The month in which a day is invoiced: its own, or the first month that is still open when the row is written. */
export function invoiceMonth(day: string, now: Date): string {
  const own = day.slice(0, 7);
  const open = firstOpenMonth(now);
  return own < open ? open : own;
}

function firstOpenMonth(now: Date): string {
  const present = utcMonth(now);
  const former = utcMonth(new Date(dayStart(`${present}-01`).getTime() - DAY_MS));
  return now.getTime() < closesAt(former).getTime() - CLOSE_MARGIN_MS ? former : present;
}

/** The `YYYY-MM-DD` that follows. */
export function nextDay(day: string): string {
  return utcDay(new Date(dayStart(day).getTime() + DAY_MS));
}

/** Whether a text is a `YYYY-MM` that exists. */
export function isMonth(text: string): boolean {
  return /^(?!0000)\d{4}-(0[1-9]|1[0-2])$/.test(text);
}

/** Whether a text is a `YYYY-MM-DD` that exists. */
export function isDay(text: string): boolean {
  if (!/^(?!0000)\d{4}-\d{2}-\d{2}$/.test(text)) return false;
  const at = dayStart(text);
  return !Number.isNaN(at.getTime()) && utcDay(at) === text;
}
