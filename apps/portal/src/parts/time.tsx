import { Text } from '@mantine/core';
import { perLocale, t } from '../texts/texts.js';

const longFormat = perLocale((locale) => new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeStyle: 'short' }));
const timeFormat = perLocale((locale) => new Intl.DateTimeFormat(locale, { timeStyle: 'short' }));
const dateFormat = perLocale((locale) => new Intl.DateTimeFormat(locale, { dateStyle: 'medium' }));
const relativeFormat = perLocale((locale) => new Intl.RelativeTimeFormat(locale, { numeric: 'auto' }));
const dayFormat = perLocale((locale) => new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeZone: 'UTC' }));

const DAY_MS = 86_400_000;
const MINUTE_S = 60;
const UNITS: [Intl.RelativeTimeFormatUnit, number][] = [
  ['day', 24 * 60 * MINUTE_S],
  ['hour', 60 * MINUTE_S],
  ['minute', MINUTE_S],
];
const RELATIVE_WITHIN_S = 7 * 24 * 60 * MINUTE_S;

/** Parses a time of the API: UTC without a suffix. */
export function parseTime(text: string): Date {
  return new Date(`${text}Z`);
}

export function hasPassed(at: string): boolean {
  return parseTime(at).getTime() <= Date.now();
}

interface TimeProps {
  at: string;
  /** Within a week how long ago it was. `day`: before that the day without the time, for narrow columns. */
  relative?: boolean | 'day';
}

/** A time in the reader's zone, with UTC on hover. No tooltip of its own: a long list would have as many tab stops. */
export function Time({ at, relative = false }: TimeProps) {
  const time = parseTime(at);
  return (
    <Text component="time" inherit dateTime={time.toISOString()} title={`${at.replace('T', ' ').slice(0, 19)} UTC`}>
      {relative === false
        ? longFormat().format(time)
        : relativeTime(time, relative === 'day' ? dateFormat : longFormat)}
    </Text>
  );
}

/** A moment in the future in the reader's zone: the time alone within a day, otherwise the day. */
export function momentText(at: string | Date): string {
  const time = typeof at === 'string' ? parseTime(at) : at;
  const isWithinADay = Math.abs(time.getTime() - Date.now()) <= DAY_MS;
  return (isWithinADay ? timeFormat() : dateFormat()).format(time);
}

/** A calendar day of the API (`2026-03-01`), which is a UTC day. */
export function formatDay(day: string): string {
  return dayFormat().format(new Date(`${day}T00:00:00Z`));
}

function relativeTime(time: Date, before: typeof dateFormat): string {
  const seconds = (time.getTime() - Date.now()) / 1_000;
  if (Math.abs(seconds) > RELATIVE_WITHIN_S) return before().format(time);
  const [unit, size] = UNITS.find(([, size]) => Math.abs(seconds) >= size) ?? ['second', 1];
  return Math.abs(seconds) < MINUTE_S ? t('page.justNow') : relativeFormat().format(Math.round(seconds / size), unit);
}
