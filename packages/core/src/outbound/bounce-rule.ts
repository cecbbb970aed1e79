import { DAY_MS, utcDay } from '../clock.js';

const BOUNCE_KINDS = ['bounce', 'complaint'] as const;
export type BounceKind = (typeof BOUNCE_KINDS)[number];

/** The window of the rule: this many UTC days, today among them. */
const BOUNCE_WINDOW_DAYS = 30;

/** Fewer bounces never block a domain, whatever the rate. */
const MIN_BOUNCES = 3;
/** From this many bounces on the rate counts even when fewer than `bounceMinSent` messages were sent. */
const SURE_BOUNCES = 10;
const MIN_COMPLAINTS = 3;
const MIN_SENT_FOR_COMPLAINTS = 1_000;

/** What a domain sent in the last 30 UTC days, not before its last unblock, and how much of it bounced or was complained about. */
export interface BounceWindow {
  domainId: number;
  sent: number;
  /** Permanent ones. */
  bounces: number;
  complaints: number;
  /** The window of the linked parent, on which everything counts too. Null without a parent, and in a parent's own window. */
  parent: BounceWindow | null;
}

export interface BounceRuleOptions {
  /** Percent; `BOUNCE_RATE_LIMIT`. 0 blocks nothing. */
  bounceRateLimit: number;
  /** `BOUNCE_MIN_SENT` */
  bounceMinSent: number;
  /** Percent; `COMPLAINT_RATE_LIMIT`. 0 only counts. */
  complaintRateLimit: number;
}

type Rates = Pick<BounceWindow, 'sent' | 'bounces' | 'complaints'>;

/**
 * Whether bounces block the domain: at least 3 bounces, a rate at or above the limit, and either `bounceMinSent` messages or 10
 * bounces.
 */
export function exceedsBounceRate(
  { sent, bounces }: Rates,
  { bounceRateLimit, bounceMinSent }: BounceRuleOptions,
): boolean {
  if (bounces < MIN_BOUNCES) return false;
  if (sent < bounceMinSent && bounces < SURE_BOUNCES) return false;
  return reaches(bounces, sent, bounceRateLimit);
}

/** The same for complaints, on 1,000 messages at least. */
export function exceedsComplaintRate({ sent, complaints }: Rates, { complaintRateLimit }: BounceRuleOptions): boolean {
  if (complaints < MIN_COMPLAINTS || sent < MIN_SENT_FOR_COMPLAINTS) return false;
  return reaches(complaints, sent, complaintRateLimit);
}

/** A fraction; 0 when nothing was sent. */
export function bounceRate({ sent, bounces }: Rates): number {
  return sent === 0 ? 0 : bounces / sent;
}

/** The first day of the window, `YYYY-MM-DD`. */
export function windowStartDay(now: Date, bounceWindowStart: Date | null): string {
  const first = utcDay(new Date(now.getTime() - (BOUNCE_WINDOW_DAYS - 1) * DAY_MS));
  const restarted = bounceWindowStart === null ? '' : utcDay(bounceWindowStart);
  return restarted > first ? restarted : first;
}

/** Compares whole numbers, with four decimals of a percent: 33 of 1,000 is exactly 3.3 %. Without sent mail there is no rate. */
function reaches(part: number, sent: number, percent: number): boolean {
  return percent > 0 && sent > 0 && part * 1_000_000 >= Math.round(percent * 10_000) * sent;
}
