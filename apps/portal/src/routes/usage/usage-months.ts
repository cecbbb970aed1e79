import { perLocale } from '../../texts/texts.js';

const MONTHS_TO_CHOOSE = 24;
const DAY_MS = 86_400_000;
/** The API closes a month at 00:00 UTC of this day of the next one. */
const CLOSES_ON_DAY = 4;

const monthFormat = perLocale(
  (locale) => new Intl.DateTimeFormat(locale, { month: 'long', year: 'numeric', timeZone: 'UTC' }),
);

/** @returns the `YYYY-MM` of the last day that has ended: on the first of a month, the month before. */
export function latestMonth(now: Date): string {
  return monthOf(new Date(now.getTime() - DAY_MS));
}

/** The months to choose from, the latest first, with the chosen one. */
export function monthsToChoose(now: Date, chosen: string): { value: string; label: string }[] {
  const months = Array.from({ length: MONTHS_TO_CHOOSE }, (_, index) =>
    monthOf(new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() - index))),
  );
  const all = months.includes(chosen) ? months : [...months, chosen].sort().reverse();
  return all.map((value) => ({ value, label: formatMonth(value) }));
}

export function closesAt(month: string): Date {
  return new Date(Date.UTC(Number(month.slice(0, 4)), Number(month.slice(5)), CLOSES_ON_DAY));
}

export function formatMonth(month: string): string {
  return monthFormat().format(new Date(`${month}-01T00:00:00Z`));
}

function monthOf(at: Date): string {
  return at.toISOString().slice(0, 7);
}
