import type { OutboundTier } from '@mailstead/core/outbound/outbound-settings';
import type { PartnerStage } from '@mailstead/core/partners/partner';
import type { StoryState } from './story-states.js';

export interface InventedPartner {
  ref: string;
  name: string;
  domains: InventedDomain[];
  /** Suspended to this stage. */
  stage?: PartnerStage;
}

export interface InventedDomain {
  name: string;
  tier: OutboundTier;
  /** Local parts. The first one also gets the mail of `aliases`. */
  mailboxes: string[];
  aliases: string[];
  /** Outside recipients of today's messages. */
  sentToday: number;
  state?: StoryState;
}

/** The customers of this partner see its brand. */
export const BRANDED = 'harbour-hosting';
/** The start prints a link to manage this domain, and one to its DNS records. */
export const LINKED = { manage: 'riverbank-books.example', dns: 'ferry-cafe.example' };

/** Everything is below `.example`, which nobody can register (RFC 2606). */
export const INVENTED: InventedPartner[] = [
  {
    ref: BRANDED,
    name: 'Harbour Hosting',
    domains: [
      domain('riverbank-books.example', 'high', ['orders', 'newsletter', 'nora', 'tomas'], ['sales', '*'], 1_840),
      domain('oakfield-dental.example', 'basic', ['reception', 'dr.weber', 'billing'], ['info'], 172, 'daily_near'),
      domain('hilltop-cycling.example', 'standard', ['club', 'events', 'lena'], ['members', 'info'], 214),
      domain('lantern-theatre.example', 'standard', ['tickets', 'press', 'stage'], ['box-office'], 396),
      domain('bluewater-tours.example', 'standard', ['info', 'bookings'], ['offers'], 640, 'blocked'),
      domain('ferry-cafe.example', 'basic', ['hello', 'shifts'], ['info'], 22, 'no_mx'),
    ],
  },
  {
    ref: 'northlight-web',
    name: 'Northlight Web',
    domains: [
      domain('maple-street-law.example', 'basic', ['office', 'a.novak', 'j.lind'], ['postmaster'], 64),
      domain('north-pier-hotel.example', 'standard', ['desk', 'bookings', 'events'], ['stay', 'weddings'], 307),
      domain('quick-prizes.example', 'basic', ['win'], ['claims'], 30, 'suspended_abuse'),
      domain('late-payer-garage.example', 'basic', ['workshop'], ['info'], 12, 'suspended_billing'),
      domain('paused-gallery.example', 'basic', ['curator', 'shop'], ['info'], 9, 'mail_waiting'),
    ],
  },
  {
    ref: 'cedar-and-co',
    name: 'Cedar & Co.',
    domains: [
      domain('pinewood-school.example', 'standard', ['office', 'head', 'parents'], ['absences', '*'], 455),
      domain('saltmarsh-farm.example', 'basic', ['shop', 'ida'], ['eggs'], 18),
      domain('juniper-bakery.example', 'basic', ['hello', 'oven'], ['orders'], 41),
      domain('closed-mill.example', 'basic', ['archive'], ['info'], 6, 'closed'),
    ],
  },
  {
    ref: 'bright-mailings',
    name: 'Bright Mailings',
    domains: [
      domain('bought-addresses.example', 'standard', ['campaign'], ['replies'], 30, 'bounces'),
      domain('daily-bargains.example', 'standard', ['offers'], ['replies'], 90, 'complaints'),
      domain('town-lottery.example', 'basic', ['draws'], ['info'], 200, 'daily_full'),
      domain('autumn-fair.example', 'basic', ['tickets'], ['info'], 100, 'monthly_full'),
      domain('spring-fair.example', 'basic', ['tickets'], ['info'], 84, 'monthly_near'),
      domain('trusted-weekly.example', 'basic', ['editor'], ['letters'], 260, 'monitored'),
      domain('photo-prints.example', 'standard', ['lab', 'orders'], ['info'], 40, 'transfer_full'),
    ],
  },
  {
    ref: 'linden-digital',
    name: 'Linden Digital',
    domains: [
      domain('careful-notary.example', 'standard', ['office', 'clerk'], ['info'], 50, 'own_limit'),
      domain('moving-florist.example', 'basic', ['shop'], ['orders'], 31, 'mx_elsewhere'),
      domain('half-moved-clinic.example', 'standard', ['desk', 'ward'], ['info'], 75, 'mx_mailboxes'),
      domain('spoofed-jeweller.example', 'basic', ['shop', 'repairs'], ['info'], 27, 'no_spf'),
      domain('empty-zone.example', 'basic', ['office'], ['info'], 11, 'no_records'),
      domain('blocked-and-lost.example', 'basic', ['info'], ['sales'], 15, 'blocked_no_mx'),
      domain('stopped-atelier.example', 'basic', ['atelier'], ['info'], 8, 'suspended_no_spf'),
      domain('two-troubles.example', 'basic', ['office'], ['info'], 200, 'closed_and_full'),
    ],
  },
  {
    ref: 'quayside-it',
    name: 'Quayside IT',
    domains: [
      domain('fading-signal.example', 'basic', ['office', 'studio'], ['info'], 33, 'at_risk'),
      domain('lost-an-hour-ago.example', 'basic', ['office'], ['info'], 28, 'lost_lately'),
      domain('lost-last-week.example', 'basic', ['office'], ['info'], 24, 'lost'),
      domain('wrong-records.example', 'basic', ['office'], ['info'], 0, 'failed'),
      domain('slow-registrar.example', 'basic', ['office'], ['info'], 0, 'unverified'),
      domain('new-today.example', 'basic', ['founder'], ['info'], 0, 'awaited'),
    ],
  },
  {
    ref: 'warned-hosting',
    name: 'Warned Hosting',
    stage: 'changes',
    domains: [
      domain('river-yoga.example', 'basic', ['studio'], ['info'], 35),
      domain('sunny-nursery.example', 'basic', ['office', 'kitchen'], ['info'], 19),
    ],
  },
  {
    ref: 'gone-quiet-media',
    name: 'Gone Quiet Media',
    stage: 'all',
    domains: [
      domain('old-port-radio.example', 'standard', ['studio', 'news'], ['info'], 120),
      domain('film-club-east.example', 'basic', ['program'], ['info'], 44),
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
  state?: StoryState,
): InventedDomain {
  return { name, tier, mailboxes, aliases, sentToday, ...(state === undefined ? {} : { state }) };
}
