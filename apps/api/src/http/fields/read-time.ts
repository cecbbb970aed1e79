const TIME = /^(\d{4})-(\d{2})-(\d{2})(?:[Tt ](\d{2}):(\d{2})(?::(\d{2})(?:\.(\d{1,9}))?)?([Zz]|[+-]\d{2}:?\d{2})?)?$/;

/**
 * Parses a time. It is UTC unless it has an offset. A date without a time is 00:00 of that day.
 *
 * @returns null when the text is not a time, or has a date or an hour that does not exist.
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
  return new Date(asUtc.getTime() - (offset[1] === '-' ? -minutes : minutes) * 60_000);
}
