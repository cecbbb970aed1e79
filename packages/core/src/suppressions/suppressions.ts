import type { DomainName } from '../domains/domain-name.js';
import type { PartnerRef } from '../partners/partner.js';
import type { PartnerScope } from '../partners/partner-scope.js';
import type { CountedSearch } from '../search.js';
import type { LiftState, Suppression, SuppressionReason } from './suppression.js';
import type { SuppressedAddress } from './suppression-address.js';

export interface SuppressionFilter {
  partnerRef?: PartnerRef | undefined;
  /** Only rows of this domain, none of its partner as a whole. */
  domain?: DomainName | undefined;
  reason?: SuppressionReason | undefined;
  /** The beginning of the address, in lower case. Null: no address begins so. */
  begins?: string | null | undefined;
}

/** An address to which a domain is about to send. */
export interface SuppressionQuery {
  partnerId: number;
  domainId: number;
  address: SuppressedAddress;
}

/** What an event of the relay stores. */
export type EventSuppression = Pick<Suppression, 'partnerId' | 'domainId' | 'address' | 'since'> & {
  reason: 'bounce' | 'complaint';
  expiresAt: Date;
  /** The address as the relay provider wrote it, when that differs. */
  spelling?: string | null;
};

/** A domain with addresses that events newly suppressed on a day. */
export interface NewlySuppressed {
  domainId: number;
  /** The number of these addresses. */
  suppressed: number;
  /** The messages that the domain sent on the day. */
  sent: number;
}

/** @returns the key of a map of suppressed addresses */
export function suppressionKey({ domainId, address }: { domainId: number; address: string }): string {
  return `${domainId} ${address}`;
}

/**
 * Stores suppressions. The number of rows of a partner is stored with the partner (`suppressionCount`), whom writers
 * have locked; every method that writes keeps it right. Expired rows, and those of deleted domains, are absent for
 * readers, but count until they are deleted.
 */
export abstract class Suppressions {
  abstract find(scope: PartnerScope, id: number, now: Date): Promise<Suppression | null>;
  /** Also an expired one. */
  abstract findByKey(key: Pick<Suppression, 'partnerId' | 'domainId' | 'address'>): Promise<Suppression | null>;
  abstract search(scope: PartnerScope, filter: SuppressionFilter, now: Date): CountedSearch<Suppression>;
  /** Adds one that does not exist, with its id. */
  abstract add(suppression: Suppression): Promise<Suppression>;
  abstract remove(suppression: Pick<Suppression, 'id' | 'partnerId'>): Promise<void>;
  /** Stores that it is lifted, or that the provider did not confirm it. It has no effect from now on. */
  abstract markLift(id: number, state: LiftState): Promise<void>;
  /** @returns null when no lift of it waits */
  abstract lifting(id: number): Promise<Pick<Suppression, 'partnerId' | 'address' | 'spelling'> | null>;
  /** Deletes it, unless an event has suppressed the address again since it was lifted. */
  abstract removeLifted(partnerId: number, id: number): Promise<void>;
  /**
   * Adds what events found, for one partner. A row that exists lasts as long as the longer of both and does not begin
   * anew; a complaint replaces every other reason, and what a caller made is otherwise kept. A lift that waits ends.
   * When the partner has `most` rows, each further one takes the place of the bounce that expires first; without a
   * bounce it is left out.
   *
   * @returns the number of new rows
   */
  abstract addFromEvents(
    partnerId: number,
    found: readonly EventSuppression[],
    bounds: { now: Date; most: number },
  ): Promise<number>;
  /**
   * Reads with one statement which of the addresses are suppressed for their domain or its partner.
   * @returns since when, by `suppressionKey`
   */
  abstract suppressed(queries: readonly SuppressionQuery[], now: Date): Promise<Map<string, Date>>;
  /**
   * The domains, in the order of their ids, for which events newly suppressed at least `least` addresses on a closed
   * day (`YYYY-MM-DD`, UTC).
   */
  abstract newlySuppressed(
    day: string,
    page: { afterDomainId: number; least: number; limit: number },
  ): Promise<NewlySuppressed[]>;
  /** Which of the names are domains of the platform that accept mail. */
  abstract openDomains(names: readonly string[]): Promise<Set<string>>;
  /** Deletes expired rows of the locked partner, at most `limit`. @returns their number */
  abstract removeExpired(partnerId: number, now: Date, limit: number): Promise<number>;
  /** The partners of the rows that expired first, at most `limit` of which are read. */
  abstract partnersWithExpired(now: Date, limit: number): Promise<number[]>;
}
