import { DAY_MS } from '@mailstead/core/clock';
import type { DnsLack } from '@mailstead/core/relay/looks/dns-lacks';

/** How long the relay finds the records of domains that lose them. */
export const AGED_MS = 40 * DAY_MS;

/**
 * What the relay says of a domain of a demo. `waits`: it never finds the DNS records. `fails`: it gives up. `lost` and
 * `at_risk`: `AGED_MS` after the start of the verification it does not find them any more.
 */
export type Fate = 'waits' | 'fails' | 'lost' | 'at_risk';

/**
 * The DNS and the relay of a demo: every domain has all its records and is verified, except those named here, by their
 * names in lower case.
 */
export interface InventedOutside {
  lacks: ReadonlyMap<string, readonly DnsLack[]>;
  fates: ReadonlyMap<string, Fate>;
}
