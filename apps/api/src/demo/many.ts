import type { ManyDomain, ManyPartner } from '@mailstead/adapters/database/demo/demo-rows';
import { DAY_MS } from '@mailstead/core/clock';
import type { DomainName } from '@mailstead/core/domains/domain-name';
import { OUTBOUND_DAYS } from '@mailstead/core/outbound/outbound-reader';
import type { OutboundTier } from '@mailstead/core/outbound/outbound-settings';
import { INVENTED } from './invented.js';
import { sentOn } from './sent-on.js';

export interface DemoSize {
  partners: number;
  domains: number;
}

/** Of the whole demo, those with a story included. */
export const WHOLE_DEMO: DemoSize = { partners: 300, domains: 3_000 };

const PLACES =
  'alder amber arrow ash aspen bay beacon birch bramble bridge brook canal castle cliff clover coast coral cove crane creek ' +
  'dale dune east elm fern field finch fjord forest fox garden glade glen granite green grove hazel heath heron hill holly ' +
  'iris island ivy jade lake larch laurel lily lime lotus maple marsh meadow mill moor moss north oak olive orchard otter ' +
  'park pearl pine plaza pond poplar quarry rain raven reed ridge rose rowan sand shore silver sky snow south spruce star ' +
  'stone summit swan tide timber valley vine violet water west wharf willow wind yew';
const TRADES =
  'accounting architects bakery barbers bikes books brewery builders butchers cafe carpets catering ceramics choir cinema ' +
  'cleaning clinic coffee cooking couriers dance dental design electric events farm fashion fitness flowers framing ' +
  'furniture galleries glass grocery guides guitars hardware hostel hotel insurance interiors joinery kennels';
const HOSTS = 'hosting web media digital studio systems cloud net agency online sites mail';
const PEOPLE = 'office info anna ben clara david eva felix greta hugo ines jonas';
const SHARED = 'contact sales support jobs press orders';
/** How many messages a domain sends on a usual day. */
const USUAL = [0, 4, 9, 14, 22, 31, 38, 47, 55, 120, 260, 900];

/** The partners and domains without a story. Every demo of a size has the same. */
export function manyPartners(now: Date, size: DemoSize): ManyPartner[] {
  const places = PLACES.split(' ');
  const trades = TRADES.split(' ');
  const hosts = HOSTS.split(' ');
  const partners = size.partners - INVENTED.length;
  const domains = size.domains - INVENTED.reduce((sum, each) => sum + each.domains.length, 0);
  const owned = Array.from({ length: partners }, (): ManyDomain[] => []);
  for (let index = 0; index < domains; index += 1) {
    // Each pair once: the number of places and that of trades have no common divisor.
    const name = `${at(places, index)}-${at(trades, index)}.example` as DomainName;
    at(owned, ownerOf(index, partners)).push(domainOf(name, index, now));
  }
  return owned.map((its, index) => {
    const words = [at(places, index), at(hosts, index)];
    return {
      ref: words.join('-'),
      name: words.map((word) => `${word.charAt(0).toUpperCase()}${word.slice(1)}`).join(' '),
      domains: its,
    };
  });
}

/** A few partners have many domains, most have some. */
function ownerOf(place: number, partners: number): number {
  return place < partners ? place : Math.floor(partners * ((place * 0.618_034) % 1) ** 2);
}

function domainOf(name: DomainName, index: number, now: Date): ManyDomain {
  const usual = at(USUAL, Math.floor(index / 3) + (index % 7));
  const tier: OutboundTier = usual > 900 ? 'high' : usual > 60 ? 'standard' : 'basic';
  const days = Array.from(
    { length: OUTBOUND_DAYS },
    (_, day) => new Date(now.getTime() - (OUTBOUND_DAYS - 1 - day) * DAY_MS),
  );
  return {
    name,
    tier,
    mailboxes: PEOPLE.split(' ').slice(index % 2, 2 + (index % 5)),
    aliases: SHARED.split(' ').slice(0, 1 + (index % 3)),
    sent: days.map((day) => sentOn({ sentToday: usual, tier }, day, index)),
  };
}

function at<Item>(items: readonly Item[], index: number): Item {
  const found = items[index % items.length];
  if (found === undefined) throw new Error('The demo has an empty list');
  return found;
}
