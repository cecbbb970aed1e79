import { parseTime } from '../../parts/time.js';

/** Returns the day of a time of the API in the reader's zone, as date fields have it: `2026-03-01`. */
export function dayOf(at: string): string {
  const time = parseTime(at);
  const numbers = [time.getFullYear(), time.getMonth() + 1, time.getDate()];
  return numbers.map((number) => String(number).padStart(2, '0')).join('-');
}

/** Returns the last second of a day of the reader's zone, as the API takes it. */
export function endOfDay(day: string): string {
  return new Date(`${day}T23:59:59`).toISOString();
}
