import { closedAt, monthStart, type OutboundPeriod } from './outbound-period.js';

/** The `monthEpoch` of a counter on which nothing was counted since the last freeze. */
const NOTHING_COUNTED = -1;

/**
 * The most messages, bounces or complaints that a counter holds: its column on MariaDB has 32 bits. More than twice the
 * highest limit.
 */
export const MOST_MESSAGES = 2_147_483_647;
/** The most bytes that a counter holds: JavaScript and JSON numbers are exact up to here. */
const MOST_BYTES = Number.MAX_SAFE_INTEGER;

/** The month counters of a domain at the end of a month or at a reset: a row of its history. */
export interface ClosedPeriod {
  domainId: number;
  periodStart: Date;
  periodEnd: Date;
  sent: number;
  bytes: number;
  /** The received part of `bytes`. */
  bytesIn: number;
  bounces: number;
  complaints: number;
}

/** The messages of a domain on a day, up to the end of the day or a reset. */
export interface ClosedDay {
  domainId: number;
  day: string;
  sent: number;
  /** How many messages of that day are in the day of the partner. */
  partnerSent: number;
}

/** The values of ended periods that were still in a counter. */
export interface Closed {
  period: ClosedPeriod | null;
  days: ClosedDay[];
}

export interface Counted {
  messages?: number;
  bytes?: number;
  /** The received part of `bytes`. */
  bytesIn?: number;
  bounces?: number;
  complaints?: number;
}

/**
 * The live counters of one domain, for one day and one month. A read names the period and returns 0 when the counter
 * belongs to another period. Counting moves the counter to the period and returns the values of an ended period that
 * were still in it. They must be frozen in the same transaction, so that nothing is lost or frozen twice.
 */
export class OutboundCounter {
  readonly domainId!: number;
  /** Empty until something was sent or forwarded. */
  day!: string;
  dayEpoch!: number;
  sentToday!: number;
  /** Outside recipients of forwarded mail on the same day. Not part of `sentToday`. */
  forwardedToday!: number;
  /**
   * How many messages of the day `partnerDay` are in the day of the partner. The difference to `sentToday` is what the
   * daily check of the copies adds there.
   */
  partnerDay!: string;
  partnerSent!: number;
  /** Empty, with `monthEpoch` -1, when nothing was counted since the last freeze. */
  month!: string;
  monthEpoch!: number;
  periodStart!: Date;
  sentMonth!: number;
  bytesMonth!: number;
  /** The received part of `bytesMonth`; what an earlier release counted is not in it. */
  bytesInMonth!: number;
  bouncesMonth!: number;
  complaintsMonth!: number;

  private constructor() {}

  static empty(domainId: number): OutboundCounter {
    return OutboundCounter.of({
      domainId,
      day: '',
      dayEpoch: 0,
      sentToday: 0,
      forwardedToday: 0,
      partnerDay: '',
      partnerSent: 0,
      month: '',
      monthEpoch: NOTHING_COUNTED,
      periodStart: new Date(0),
      sentMonth: 0,
      bytesMonth: 0,
      bytesInMonth: 0,
      bouncesMonth: 0,
      complaintsMonth: 0,
    });
  }

  static of(fields: OutboundCounterFields): OutboundCounter {
    return Object.assign(new OutboundCounter(), fields);
  }

  sentTodayIn(period: OutboundPeriod): number {
    return this.isOfDay(period) ? this.sentToday : 0;
  }

  forwardedTodayIn(period: OutboundPeriod): number {
    return this.isOfDay(period) ? this.forwardedToday : 0;
  }

  sentMonthIn(period: OutboundPeriod): number {
    return this.isOfMonth(period) ? this.sentMonth : 0;
  }

  bytesMonthIn(period: OutboundPeriod): number {
    return this.isOfMonth(period) ? this.bytesMonth : 0;
  }

  bytesInMonthIn(period: OutboundPeriod): number {
    return this.isOfMonth(period) ? this.bytesInMonth : 0;
  }

  /** Whether the counter can hold these messages and bytes. */
  hasRoomFor(period: OutboundPeriod, { messages = 0, bytes = 0 }: Counted): boolean {
    const sent = Math.max(this.sentTodayIn(period), this.sentMonthIn(period));
    return sent + messages <= MOST_MESSAGES && this.bytesMonthIn(period) + bytes <= MOST_BYTES;
  }

  hasRoomToForward(period: OutboundPeriod, messages: number): boolean {
    return this.forwardedTodayIn(period) + messages <= MOST_MESSAGES;
  }

  /** Counts forwarded mail, which must have room. The month is not changed, because forwarded mail is not frozen. */
  countForwarded(period: OutboundPeriod, messages: number): Closed {
    const days = this.openDay(period);
    this.forwardedToday += messages;
    return { period: null, days };
  }

  /** Messages and bytes must have room. The caller adds the messages to the day of the partner too. */
  count(period: OutboundPeriod, counted: Counted): Closed {
    const closed: Closed = { period: this.openMonth(period), days: [] };
    if (counted.messages !== undefined && counted.messages > 0) {
      closed.days = this.openDay(period);
      this.sentToday += counted.messages;
      this.partnerSent += counted.messages;
      this.sentMonth += counted.messages;
    }
    this.bytesMonth += counted.bytes ?? 0;
    this.bytesInMonth += counted.bytesIn ?? 0;
    // There is nobody to refuse an event to, so these two stay at the most that they hold.
    this.bouncesMonth = Math.min(MOST_MESSAGES, this.bouncesMonth + (counted.bounces ?? 0));
    this.complaintsMonth = Math.min(MOST_MESSAGES, this.complaintsMonth + (counted.complaints ?? 0));
    return closed;
  }

  /**
   * Adds the counts of another counter of the same name: its domain is deleted, and this one takes over its counters.
   * The values of ended periods in both are returned as in `count`, for the id of this domain.
   */
  absorb(other: OutboundCounter, period: OutboundPeriod): Closed[] {
    const closed = [this, other].map((counter) => ({
      period: counter.monthEpoch === NOTHING_COUNTED ? null : counter.openMonth(period),
      days: counter.day === '' && counter.partnerDay === '' ? [] : counter.openDay(period),
    }));
    if (other.day !== '') {
      this.openDay(period);
      this.day = later(this.day, other.day);
      this.partnerDay = this.day;
      this.partnerSent = Math.min(MOST_MESSAGES, this.partnerSent + other.partnerSent);
      this.sentToday = Math.min(MOST_MESSAGES, this.sentToday + other.sentToday);
      this.forwardedToday = Math.min(MOST_MESSAGES, this.forwardedToday + other.forwardedToday);
    }
    if (other.monthEpoch !== NOTHING_COUNTED) {
      const wasEmpty = this.monthEpoch === NOTHING_COUNTED;
      this.openMonth(period);
      this.month = later(this.month, other.month);
      if (wasEmpty || other.periodStart < this.periodStart) this.periodStart = other.periodStart;
      this.sentMonth = Math.min(MOST_MESSAGES, this.sentMonth + other.sentMonth);
      this.bytesMonth = Math.min(MOST_BYTES, this.bytesMonth + other.bytesMonth);
      this.bytesInMonth = Math.min(MOST_BYTES, this.bytesInMonth + other.bytesInMonth);
      this.bouncesMonth = Math.min(MOST_MESSAGES, this.bouncesMonth + other.bouncesMonth);
      this.complaintsMonth = Math.min(MOST_MESSAGES, this.complaintsMonth + other.complaintsMonth);
    }
    const { domainId } = this;
    return closed.map((ended) => ({
      period: ended.period && { ...ended.period, domainId },
      days: ended.days.map((day) => ({ ...day, domainId })),
    }));
  }

  private openDay(period: OutboundPeriod): ClosedDay[] {
    const ended = { day: this.day, sent: 0 };
    if (!this.isOfDay(period)) {
      ended.sent = this.sentToday;
      this.day = period.day;
      this.dayEpoch = period.dayEpoch;
      this.sentToday = 0;
      this.forwardedToday = 0;
    } else if (this.partnerDay === this.day) return [];
    const ofPartner = { day: this.partnerDay, partnerSent: this.partnerSent };
    this.partnerDay = this.day;
    this.partnerSent = 0;
    const { domainId } = this;
    const rows: ClosedDay[] =
      ended.day === ofPartner.day
        ? [{ domainId, ...ended, ...ofPartner }]
        : [
            { domainId, ...ended, partnerSent: 0 },
            { domainId, ...ofPartner, sent: 0 },
          ];
    return rows.filter(({ sent, partnerSent }) => sent + partnerSent > 0);
  }

  private openMonth(period: OutboundPeriod): ClosedPeriod | null {
    if (this.isOfMonth(period)) return null;
    const closed = this.monthEpoch === NOTHING_COUNTED ? null : this.closed(period);
    const start = monthStart(period.month);
    this.month = period.month;
    this.monthEpoch = period.monthEpoch;
    this.periodStart = period.monthStartedAt > start ? period.monthStartedAt : start;
    this.sentMonth = 0;
    this.bytesMonth = 0;
    this.bytesInMonth = 0;
    this.bouncesMonth = 0;
    this.complaintsMonth = 0;
    return closed;
  }

  private closed(period: OutboundPeriod): ClosedPeriod {
    return {
      domainId: this.domainId,
      periodStart: this.periodStart,
      periodEnd: closedAt(this, period),
      sent: this.sentMonth,
      bytes: this.bytesMonth,
      bytesIn: this.bytesInMonth,
      bounces: this.bouncesMonth,
      complaints: this.complaintsMonth,
    };
  }

  /**
   * A later day counts as this day: the clock of another process was past midnight first, and a counter never goes back
   * to an earlier day.
   */
  private isOfDay(period: OutboundPeriod): boolean {
    return this.dayEpoch === period.dayEpoch && this.day >= period.day;
  }

  private isOfMonth(period: OutboundPeriod): boolean {
    return this.monthEpoch === period.monthEpoch && this.month >= period.month;
  }
}

function later(one: string, other: string): string {
  return one > other ? one : other;
}

type OutboundCounterFields = {
  [Field in keyof OutboundCounter as OutboundCounter[Field] extends (...args: never[]) => unknown
    ? never
    : Field]: OutboundCounter[Field];
};
