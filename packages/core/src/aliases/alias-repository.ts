import type { DomainName } from '../domains/domain-name.js';
import type { ReadPage } from '../page.js';
import type { PartnerRef, PartnerScope } from '../partners/partner.js';
import type { Alias } from './alias.js';

export interface AliasFilter {
  partnerRef?: PartnerRef | undefined;
  domain?: DomainName | undefined;
  address?: string | undefined;
  destination?: string | undefined;
}

/** Aliases. Outside the given partner scope an alias is absent, in every method. */
export abstract class AliasRepository {
  abstract find(scope: PartnerScope, id: number): Promise<Alias | null>;
  /** Starts reading a list. */
  abstract list(scope: PartnerScope, filter: AliasFilter): ReadPage<Alias>;
  /** All aliases of one address, at most `MAX_DESTINATIONS`. */
  abstract ofAddress(scope: PartnerScope, address: string): Promise<Alias[]>;
  /** How many aliases of the partner deliver to the destination, counted up to `atMost`. */
  abstract countTo(partnerId: number, destination: string, atMost: number): Promise<number>;
  /** @throws AppError `alias_exists` when the address already has that destination. */
  abstract add(alias: Alias): Promise<Alias>;
  /** Removes the aliases and lowers the counts of their domains. */
  abstract remove(aliases: Alias[]): Promise<void>;
  /** Aliases between this domain and other domains, which would cross partners if it moved; at most `limit`. */
  abstract crossing(domainId: number, limit: number): Promise<Alias[]>;
}
