import { nextDay } from './usage-month.js';

/** What a domain sent, received and had returned. */
export interface UsedMail {
  sent: number;
  bytes: number;
  /** The received part of `bytes`. */
  bytesIn: number;
  bounces: number;
}

/** How much of the counters of a month is in closed days already. Of earlier months, all is. */
export interface CountedMail extends UsedMail {
  month: string;
}

/** The days of a domain that are not closed yet, and its counters. */
export interface OpenDays {
  /** The first day that is not closed, and the highest number of mailboxes on it. */
  day: string;
  mailboxes: number;
  /** The present number of mailboxes, which did not change after `day`. */
  mailboxCount: number;
  /** Null when nothing was counted yet. */
  counted: CountedMail | null;
  /** The counters of each month, from that of `counted` and of `day` on. */
  months: ReadonlyMap<string, UsedMail>;
  /** The messages of the days after `day`, as far as they are known. */
  sentOn: ReadonlyMap<string, number>;
}

export interface ClosedDay extends UsedMail {
  day: string;
  mailboxes: number;
}

const NOTHING: UsedMail = { sent: 0, bytes: 0, bytesIn: 0, bounces: 0 };

/**
 * Closes the days of a domain up to `last`. The counters are those of months, so each day gets what they have grown by:
 * messages on the day on which they were sent; bytes and bounces, which are not counted by day, on the last of the days
 * of their month that are closed together. What was counted late, after its month was closed, is on the first of the
 * days. So the sum of all days is always what the counters counted.
 */
export function closeDays(open: OpenDays, last: string): { days: ClosedDay[]; counted: CountedMail | null } {
  const days: ClosedDay[] = [];
  let { counted, mailboxes } = open;
  for (let { day } = open; day <= last; day = nextDay(day)) {
    const month = monthOf(day);
    const late = counted === null || counted.month >= month ? NOTHING : lateMail(open, counted, month);
    const before: UsedMail = counted?.month === month ? counted : NOTHING;
    const now = countedAt(open, day, day === last || monthOf(nextDay(day)) !== month, before);
    days.push({
      day,
      mailboxes,
      sent: now.sent - before.sent + late.sent,
      bytes: now.bytes - before.bytes + late.bytes,
      bytesIn: now.bytesIn - before.bytesIn + late.bytesIn,
      bounces: now.bounces - before.bounces + late.bounces,
    });
    if (counted !== null || now.sent + now.bytes + now.bounces > 0) counted = { month, ...now };
    mailboxes = open.mailboxCount;
  }
  return { days, counted };
}

/** What the counters of the day's month had at the end of the day. */
function countedAt(open: OpenDays, day: string, takesAll: boolean, before: UsedMail): UsedMail {
  const total = open.months.get(monthOf(day)) ?? NOTHING;
  const grown = takesAll ? total : before;
  return {
    sent: Math.max(before.sent, total.sent - sentAfter(open, day)),
    bytes: Math.max(before.bytes, grown.bytes),
    bytesIn: Math.max(before.bytesIn, grown.bytesIn),
    bounces: Math.max(before.bounces, grown.bounces),
  };
}

function sentAfter({ sentOn }: OpenDays, day: string): number {
  let sent = 0;
  for (const [other, count] of sentOn) if (other > day && monthOf(other) === monthOf(day)) sent += count;
  return Math.max(0, sent);
}

/** What months before `month` have that is in no closed day. */
function lateMail({ months }: OpenDays, counted: CountedMail, month: string): UsedMail {
  const late = { sent: -counted.sent, bytes: -counted.bytes, bytesIn: -counted.bytesIn, bounces: -counted.bounces };
  for (const [other, total] of months) {
    if (other < counted.month || other >= month) continue;
    late.sent += total.sent;
    late.bytes += total.bytes;
    late.bytesIn += total.bytesIn;
    late.bounces += total.bounces;
  }
  return {
    sent: Math.max(0, late.sent),
    bytes: Math.max(0, late.bytes),
    bytesIn: Math.max(0, late.bytesIn),
    bounces: Math.max(0, late.bounces),
  };
}

function monthOf(day: string): string {
  return day.slice(0, 'YYYY-MM'.length);
}
