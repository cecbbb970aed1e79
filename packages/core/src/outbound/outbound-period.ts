import { utcDay, utcMonth } from '../clock.js';
import { dayStart } from '../read-time.js';

/** How often the counters were reset on request. A reset raises one number instead of writing every counter. */
export interface OutboundEpochs {
  dayEpoch: number;
  monthEpoch: number;
  /** When `monthEpoch` was last raised; 1970-01-01 when never. */
  monthStartedAt: Date;
}

/** The current day and month. A counter of any other period reads as 0. */
export interface OutboundPeriod extends OutboundEpochs {
  /** `YYYY-MM-DD` */
  day: string;
  /** `YYYY-MM` */
  month: string;
}

export function periodAt(now: Date, epochs: OutboundEpochs): OutboundPeriod {
  return { ...epochs, day: utcDay(now), month: utcMonth(now) };
}

/** The first instant of a `YYYY-MM`. */
export function monthStart(month: string): Date {
  return dayStart(`${month}-01`);
}

/** The first instant after a `YYYY-MM`. */
function monthEnd(month: string): Date {
  const start = monthStart(month);
  return new Date(Date.UTC(start.getUTCFullYear(), start.getUTCMonth() + 1, 1));
}

/** When the period of a closed counter ended: at the end of its month, or at an earlier reset. */
export function closedAt(counter: { month: string; monthEpoch: number }, current: OutboundEpochs): Date {
  const end = monthEnd(counter.month);
  const wasReset = counter.monthEpoch < current.monthEpoch;
  return wasReset && current.monthStartedAt < end ? current.monthStartedAt : end;
}
