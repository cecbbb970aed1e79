import type { OutboundTier } from '@mailstead/core/outbound/outbound-settings';

export interface InventedPartner {
  ref: string;
  name: string;
  domains: InventedDomain[];
}

export interface InventedDomain {
  name: string;
  tier: OutboundTier;
  /** Local parts. The first one also gets the mail of `aliases`. */
  mailboxes: string[];
  aliases: string[];
  /** Outside recipients of today's messages. */
  sentToday: number;
  state?: 'suspended' | 'blocked';
}

/** Everything is below `.example`, which nobody can register (RFC 2606). */
export const INVENTED: InventedPartner[] = [
  {
    ref: 'harbour-hosting',
    name: 'Harbour Hosting',
    domains: [
      domain('riverbank-books.example', 'high', ['orders', 'newsletter', 'nora', 'tomas'], ['sales', '*'], 1_840),
      // Most of what it may send today is used.
      domain('oakfield-dental.example', 'basic', ['reception', 'dr.weber', 'billing'], ['info'], 172),
      domain('hilltop-cycling.example', 'standard', ['club', 'events', 'lena'], ['members', 'info'], 214),
      domain('lantern-theatre.example', 'standard', ['tickets', 'press', 'stage'], ['box-office'], 396),
      { ...domain('bluewater-tours.example', 'standard', ['info', 'bookings'], ['offers'], 640), state: 'blocked' },
    ],
  },
  {
    ref: 'northlight-web',
    name: 'Northlight Web',
    domains: [
      domain('maple-street-law.example', 'basic', ['office', 'a.novak', 'j.lind'], ['postmaster'], 64),
      domain('north-pier-hotel.example', 'standard', ['desk', 'bookings', 'events'], ['stay', 'weddings'], 307),
      { ...domain('quick-prizes.example', 'basic', ['win'], ['claims'], 0), state: 'suspended' },
    ],
  },
  {
    ref: 'cedar-and-co',
    name: 'Cedar & Co.',
    domains: [
      domain('pinewood-school.example', 'standard', ['office', 'head', 'parents'], ['absences', '*'], 455),
      domain('saltmarsh-farm.example', 'basic', ['shop', 'ida'], ['eggs'], 18),
      domain('juniper-bakery.example', 'basic', ['hello', 'oven'], ['orders'], 41),
    ],
  },
];

export interface InventedBounce {
  sender: string;
  recipient: string;
  /** The reply of the recipient's server. */
  reply: string;
}

/** What bounced today. */
export const BOUNCES: InventedBounce[] = [
  {
    sender: 'newsletter@riverbank-books.example',
    recipient: 'reader-17@post.example',
    reply: '550 5.1.1 user unknown',
  },
  {
    sender: 'newsletter@riverbank-books.example',
    recipient: 'reader-58@post.example',
    reply: '550 5.1.1 user unknown',
  },
  {
    sender: 'tickets@lantern-theatre.example',
    recipient: 'guest@stage.example',
    reply: '552 5.2.2 mailbox full',
  },
];

function domain(
  name: string,
  tier: OutboundTier,
  mailboxes: string[],
  aliases: string[],
  sentToday: number,
): InventedDomain {
  return { name, tier, mailboxes, aliases, sentToday };
}
