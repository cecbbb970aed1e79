const TIME = /^(\d{4})-(\d{2})-(\d{2})(?:[Tt ](\d{2}):(\d{2})(?::(\d{2})(?:\.(\d{1,9}))?)?([Zz]|[+-]\d{2}:?\d{2})?)?$/;

/**
 * Parses a time that others wrote, in ISO 8601. It is UTC unless it has an offset, wherever this process runs: `Date`
 * would read a time without a zone in that of the host. A date without a time is 00:00 of that day.
 *
 * @returns null when the text is not a time, has a date or an hour that does not exist, or is not in the years 0000 to
 * 9999 in UTC.
 */
export function readTime(text: string): Date | null {
  const match = TIME.exec(text);
  if (match === null) return null;
  const [, year, month, day, hour = '00', minute = '00', second = '00', fraction = '', zone = 'Z'] = match;
  const local = `${year}-${month}-${day}T${hour}:${minute}:${second}`;
  const asUtc = new Date(`${local}.${fraction.slice(0, 3).padEnd(3, '0')}Z`);
  // Date reads 31 February as 3 March, and 24:00 as the next day.
  if (Number.isNaN(asUtc.getTime()) || asUtc.toISOString().slice(0, 19) !== local) return null;
  const offset = /^([+-])(\d{2}):?(\d{2})$/.exec(zone);
  if (offset === null) return asUtc;
  const minutes = Number(offset[2]) * 60 + Number(offset[3]);
  if (Number(offset[2]) > 23 || Number(offset[3]) > 59) return null;
  const at = new Date(asUtc.getTime() - (offset[1] === '-' ? -minutes : minutes) * 60_000);
  return hasFourDigitYear(at) ? at : null;
}

/**
 * Parses a time that this software wrote, in ISO 8601.
 *
 * @throws Error for another text
 */
export function readOwnTime(text: string): Date {
  const at = readTime(text);
  if (at === null) throw new Error('A stored time is not one of ISO 8601');
  return at;
}

/** The first moment of a UTC day, `YYYY-MM-DD`. */
export function dayStart(day: string): Date {
  return new Date(`${day}T00:00:00.000Z`);
}

/** The offset can move a time out of the years 0000 to 9999, which every response has as four digits. */
function hasFourDigitYear(at: Date): boolean {
  return at.toISOString().length === '2026-03-01T12:00:00.000Z'.length;
}
