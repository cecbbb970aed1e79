import { HOUR_MS, MINUTE_MS } from '../clock.js';
import { hashOf, type TrailStep } from './trail-step.js';
import type { RefusedRows } from './trail-store.js';

/** Rows of the refusals of a domain in a minute, for each direction. */
const ROWS_OF_DOMAIN = 20;
/** Rows of the refusals of a sender in an hour. */
const ROWS_OF_SENDER = 100;

/** How many rows some refusals have. Beyond it, further ones are counted in one row. */
export interface RefusalBound {
  /** The key of the row that counts further refusals. A mail server has its own. */
  key: string;
  rows: RefusedRows;
  most: number;
  /** What is shown of the row that counts further refusals. */
  shown: Pick<TrailStep, 'sender' | 'recipient'>;
}

/**
 * The bounds of a refusal, in the order in which they hold. Anybody can cause any number of refusals on port 25, and
 * without a login on the ports of users; a broken program of a user can too.
 *
 * @param partnerId whose refusal it is; null: nobody's. The rows of a domain that moves are not the next partner's.
 */
export function refusalBoundsOf(step: TrailStep, partnerId: number | null): RefusalBound[] {
  const { host, domain, direction, sender, at } = step;
  const ofDomain: RefusalBound = {
    key: hashOf([...(direction === 'in' ? ['refusals'] : ['refusals', 'out']), host, domain, partnerId, minuteOf(at)]),
    rows: { domain, direction, ...spanOf(at, MINUTE_MS) },
    most: ROWS_OF_DOMAIN,
    shown: direction === 'in' ? { sender: '', recipient: `*@${domain}` } : { sender: `*@${domain}`, recipient: '*' },
  };
  if (direction === 'in') return [ofDomain];
  const ofSender: RefusalBound = {
    key: hashOf(['refusals', 'sender', host, domain, partnerId, sender, hourOf(at)]),
    rows: { mailbox: sender, direction, ...spanOf(at, HOUR_MS) },
    most: ROWS_OF_SENDER,
    shown: { sender, recipient: '*' },
  };
  return [ofSender, ofDomain];
}

/** Whether it is a refusal on port 25 before a queue file. */
export function isForeignRefusal({ queueId, direction, step }: TrailStep): boolean {
  return queueId === null && direction === 'in' && step === 'refused';
}

/** One row of a partner for the same sender and recipient in an hour. */
export function refusalKeyOf({ host, domain, sender, recipient, at }: TrailStep, partnerId: number | null): string {
  return hashOf(['refusal', host, domain, partnerId, sender, recipient, hourOf(at)]);
}

/** A refusal of a user, or another step of a message that had no queue file. */
export function refusedOnceKeyOf({ host, domain, sender, recipient, at, reason, direction }: TrailStep): string {
  return hashOf(['refused', host, domain, sender, recipient, at.getTime(), reason, direction]);
}

function hourOf(at: Date): string {
  return at.toISOString().slice(0, 13);
}

export function minuteOf(at: Date): number {
  return Math.floor(at.getTime() / MINUTE_MS);
}

function spanOf(at: Date, ms: number): { since: Date; until: Date } {
  const since = Math.floor(at.getTime() / ms) * ms;
  return { since: new Date(since), until: new Date(since + ms) };
}
