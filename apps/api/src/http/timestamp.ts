/** The times that have a year of four digits. */
const FIRST = new Date('0000-01-01T00:00:00.000Z');
const LAST = new Date('9999-12-31T23:59:59.999Z');

/**
 * Formats a time as in all responses: UTC with milliseconds and without a zone suffix. An earlier release accepted
 * times after the year 9999; they are shown as the last millisecond of that year.
 */
export function timestamp(at: Date): string {
  const shown = at > LAST ? LAST : at < FIRST ? FIRST : at;
  return shown.toISOString().slice(0, -1);
}

export function timestampOrNull(at: Date | null): string | null {
  return at === null ? null : timestamp(at);
}
