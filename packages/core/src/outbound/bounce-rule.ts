import { DAY_MS, utcDay } from '../clock.js';
import { token } from '../needs.js';

const BOUNCE_KINDS = ['bounce', 'complaint'] as const;
export type BounceKind = (typeof BOUNCE_KINDS)[number];

/** The length of the window in UTC days, including today. */
const BOUNCE_WINDOW_DAYS = 30;

/** With fewer bounces a domain is not blocked, at any rate. */
const MIN_BOUNCES = 3;
/** With at least this many bounces the rate applies even when fewer than `bounceMinSent` messages were sent. */
const BOUNCES_WITHOUT_MIN_SENT = 10;
const MIN_COMPLAINTS = 3;
const MIN_SENT_FOR_COMPLAINTS = 1_000;

/** The messages of a domain in the last 30 UTC days since its last unblock, with their bounces and complaints. */
export interface BounceWindow {
  domainId: number;
  sent: number;
  /** Permanent bounces. */
  bounces: number;
  /** One for each message and domain of recipients, of whom somebody complained. */
  complaints: number;
  /**
   * The window of the linked parent, where every message, bounce and complaint also counts. Null without a parent, and
   * in the window of a parent.
   */
  parent: BounceWindow | null;
}

export interface BounceRuleOptions {
  /** Percent; `BOUNCE_RATE_LIMIT`. 0 switches the rule off. */
  bounceRateLimit: number;
  /** `BOUNCE_MIN_SENT` */
  bounceMinSent: number;
  /** Percent; `COMPLAINT_RATE_LIMIT`. 0: complaints are counted, and block no domain. */
  complaintRateLimit: number;
}
export const BounceRuleOptions = token<BounceRuleOptions>('BounceRuleOptions');

/** Fractions: 0.03 is 3 %. */
export interface RateLimits {
  bounces: number;
  complaints: number;
}

type Rates = Pick<BounceWindow, 'sent' | 'bounces' | 'complaints'>;

/**
 * Whether the bounces block the domain: at least 3 bounces, a rate at or above the limit, and either `bounceMinSent`
 * messages or 10 bounces.
 */
export function exceedsBounceRate(
  { sent, bounces }: Rates,
  { bounceRateLimit, bounceMinSent }: BounceRuleOptions,
): boolean {
  if (bounces < MIN_BOUNCES) return false;
  if (sent < bounceMinSent && bounces < BOUNCES_WITHOUT_MIN_SENT) return false;
  return reaches(bounces, sent, bounceRateLimit);
}

/**
 * Whether the complaints block the domain: at least 3 complaints, at least 1,000 messages, and a rate at or above the
 * limit.
 */
export function exceedsComplaintRate({ sent, complaints }: Rates, { complaintRateLimit }: BounceRuleOptions): boolean {
  if (complaints < MIN_COMPLAINTS || sent < MIN_SENT_FOR_COMPLAINTS) return false;
  return reaches(complaints, sent, complaintRateLimit);
}

/** The rate as a fraction; 0 when nothing was sent. */
export function bounceRate({ sent, bounces }: Rates): number {
  return sent === 0 ? 0 : bounces / sent;
}

/** The limits as fractions, as `bounceRate`; 0: the rule is off. */
export function rateLimits({ bounceRateLimit, complaintRateLimit }: BounceRuleOptions): RateLimits {
  return { bounces: millionths(bounceRateLimit) / 1_000_000, complaints: millionths(complaintRateLimit) / 1_000_000 };
}

/** The first day of the window, `YYYY-MM-DD`. */
export function windowStartDay(now: Date, bounceWindowStart: Date | null): string {
  const first = utcDay(new Date(now.getTime() - (BOUNCE_WINDOW_DAYS - 1) * DAY_MS));
  const restarted = bounceWindowStart === null ? '' : utcDay(bounceWindowStart);
  return restarted > first ? restarted : first;
}

/** Compares integers, with four decimals of a percent: 33 of 1,000 is exactly 3.3 %. False when nothing was sent. */
function reaches(part: number, sent: number, percent: number): boolean {
  return percent > 0 && sent > 0 && part * 1_000_000 >= millionths(percent) * sent;
}

function millionths(percent: number): number {
  return Math.round(percent * 10_000);
}
