import { DAY_MS } from '@mailstead/core/clock';
import type { OutboundTier } from '@mailstead/core/outbound/outbound-settings';

export const BYTES_PER_MESSAGE = 24_000;
/** A month of such days stays below 80 % of the limit of the month. */
const MOST_A_DAY: Record<OutboundTier, number> = { basic: 60, standard: 900, high: 9_000, unlimited: 9_000 };
/** How much of a usual day is sent on each day of the week, from Sunday on. */
const WEEK = [0.3, 1, 1.1, 1.05, 1, 0.9, 0.4];
/** Its multiples are spread evenly between whole numbers. */
const GOLDEN = 0.618_034;

/** Messages of a domain on a day before today. @param place of the domain among all, by which equal ones differ */
export function sentOn(
  { sentToday, tier }: { sentToday: number; tier: OutboundTier },
  day: Date,
  place: number,
): number {
  const wave = 0.75 + 0.5 * (((Math.floor(day.getTime() / DAY_MS) + place) * GOLDEN) % 1);
  return Math.round(Math.min(sentToday, MOST_A_DAY[tier]) * (WEEK[day.getUTCDay()] ?? 1) * wave);
}
