import { HOUR_MS, SECOND_MS } from '../clock.js';
import { trailDayOf } from './trail-options.js';

/** The digits of Postfix's long queue ids: no vowels, so that no word comes out. */
const DIGITS = '0123456789BCDFGHJKLMNPQRSTVWXYZbcdfghjklmnpqrstvwxyz';
/** Seconds, four digits of microseconds, `z`, and the number of the file (`mail_queue.h` of Postfix). */
const LONG_ID =
  /^([0-9B-DF-HJ-NP-TV-Zb-df-hj-np-tv-z]{6,10})[0-9B-DF-HJ-NP-TV-Zb-df-hj-np-tv-z]{4}z[0-9B-DF-HJ-NP-TV-Zb-df-hj-np-ty]+$/;
/** A clock that is set back by less makes no message older than its queue id. */
const SLACK_MS = HOUR_MS;

/**
 * The first day on which something can have happened to a message: its long queue id begins with the time at which
 * Postfix made its file. Otherwise its row may be on any kept day.
 *
 * @param queueId or a text that ends with a hyphen and the id, as the tag of a message
 * @param at when something happened to the message
 * @returns days since 1970 (UTC); 0 for ids of another form
 */
export function firstDayOf(queueId: string, at: Date): number {
  const digits = LONG_ID.exec(queueId.slice(queueId.lastIndexOf('-') + 1))?.[1];
  if (digits === undefined) return 0;
  let seconds = 0;
  for (const digit of digits) seconds = seconds * DIGITS.length + DIGITS.indexOf(digit);
  const madeAt = seconds * SECOND_MS - SLACK_MS;
  return madeAt > at.getTime() ? 0 : trailDayOf(new Date(madeAt));
}
