import { hash } from 'node:crypto';
import { readTime } from '@mailstead/core/read-time';

/** What a process of Postfix wrote. */
export interface PostfixLine {
  at: Date;
  /** `submission`: the instance for users who logged in. `mx`: port 25. */
  instance: 'submission' | 'mx';
  /** The program, such as `smtpd`. */
  program: string;
  text: string;
}

const LINE =
  /^([A-Z][a-z]{2} [ \d]\d \d\d:\d\d:\d\d|\d{4}-\d\d-\d\dT[\d:.]+(?:Z|[+-]\d\d:\d\d)) \S+ (postfix[\w-]*)\/((?:[\w-]+\/)?)([\w-]+)\[\d+\]: (.*)$/s;
const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];
const DAY_MS = 86_400_000;

/**
 * Reads a line of the log of both instances: the time of Postfix's own log or of syslog, the host, the service and the
 * text. The services on port 587 and 465 have the names that the mail stack renders, the others that of their instance.
 *
 * @returns null for a line of another program
 */
export function readPostfixLine(line: string, now: Date): PostfixLine | null {
  const [, time = '', name = '', service = '', program = '', text = ''] = LINE.exec(line) ?? [];
  const at = time === '' ? null : timeOf(time, now);
  if (at === null) return null;
  const submits = name !== 'postfix' || service === 'submission/' || service === 'submissions/';
  return { at, instance: submits ? 'submission' : 'mx', program, text };
}

/**
 * A time of a line of a log with whole seconds that differs between lines of the same second, and is the same each time
 * the line is read. For lines that have nothing else by which they differ.
 */
export function distinctTime(at: Date, line: string): Date {
  if (at.getMilliseconds() !== 0) return at;
  return new Date(at.getTime() + (Number.parseInt(hash('sha256', line).slice(0, 8), 16) % 1_000));
}

/**
 * Times without a year and a zone are UTC, as the rendered `import_environment` makes Postfix write them: the zone of
 * this process says nothing about that of Postfix. The year is the latest with which the time is not in the future.
 */
function timeOf(text: string, now: Date): Date | null {
  if (/^\d/.test(text)) {
    return readTime(text);
  }
  const month = MONTHS.indexOf(text.slice(0, 3));
  if (month === -1) return null;
  const day = Number(text.slice(4, 6));
  const [hours = 0, minutes = 0, seconds = 0] = text.slice(7).split(':').map(Number);
  const inYear = (year: number) => new Date(Date.UTC(year, month, day, hours, minutes, seconds));
  const at = inYear(now.getUTCFullYear());
  return at.getTime() > now.getTime() + DAY_MS ? inYear(now.getUTCFullYear() - 1) : at;
}
