/** The moment of the pictures: a Thursday afternoon. */
export const NOW = new Date('2026-06-18T13:42:00Z');

export const HOUR_MS = 3_600_000;
export const DAY_MS = 24 * HOUR_MS;
export const DAYS = 30;
export const BEGIN = new Date(NOW.getTime() - (DAYS + 1) * DAY_MS);

export const PARTNER_KEY = 'key-of-the-pictures-0123456789-abcdef';

/** A domain with a past: how much it sends on a working day, and how often mail comes back. */
export interface InventedDomain {
  name: string;
  tier: 'basic' | 'standard' | 'high';
  perDay: number;
  bounces: number;
  mailboxes: string[];
}

/** The domain of the picture of Sending. */
export const BUSY = 'riverbank-books.example';
/** The domain of the picture of DNS: it is not verified yet. */
export const UNVERIFIED = 'juniper-bakery.example';
export const MX_HOSTS = ['mx1.mailstead.example', 'mx2.mailstead.example'];
/** It sends to an old list, so that sending is blocked. */
export const BLOCKED = 'bluewater-tours.example';
/** It has used most of its limit of today. */
export const NEARLY_FULL = { name: 'oakfield-dental.example', sentToday: 172 };

export const DOMAINS: InventedDomain[] = [
  {
    name: BUSY,
    tier: 'high',
    perDay: 640,
    bounces: 1.4,
    mailboxes: ['orders', 'newsletter', 'hello', 'nora', 'tomas'],
  },
  { name: NEARLY_FULL.name, tier: 'basic', perDay: 90, bounces: 0.1, mailboxes: ['reception', 'dr.weber', 'billing'] },
  { name: BLOCKED, tier: 'standard', perDay: 80, bounces: 0.3, mailboxes: ['info', 'bookings'] },
  {
    name: 'hilltop-cycling.example',
    tier: 'standard',
    perDay: 120,
    bounces: 0.2,
    mailboxes: ['club', 'events', 'lena'],
  },
  {
    name: 'lantern-theatre.example',
    tier: 'standard',
    perDay: 260,
    bounces: 0.3,
    mailboxes: ['tickets', 'press', 'stage'],
  },
  {
    name: 'maple-street-law.example',
    tier: 'basic',
    perDay: 70,
    bounces: 0,
    mailboxes: ['office', 'a.novak', 'j.lind'],
  },
  {
    name: 'north-pier-hotel.example',
    tier: 'standard',
    perDay: 180,
    bounces: 0.2,
    mailboxes: ['desk', 'bookings', 'events'],
  },
  {
    name: 'pinewood-school.example',
    tier: 'standard',
    perDay: 150,
    bounces: 0.2,
    mailboxes: ['office', 'head', 'parents'],
  },
  { name: 'saltmarsh-farm.example', tier: 'basic', perDay: 30, bounces: 0, mailboxes: ['shop', 'ida'] },
];

/** The share of a working day that is sent on each weekday, from Sunday on. */
export const WEEK = [0.2, 1.0, 1.08, 1.15, 1.05, 0.9, 0.3];

/** A row of numbers from 0 to 1 that is the same each time. */
export function numbersFrom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
    return state / 2_147_483_648;
  };
}
