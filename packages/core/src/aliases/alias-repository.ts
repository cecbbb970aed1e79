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

/** Reads and writes aliases. Every method treats an alias outside the given partner scope as absent. */
export abstract class AliasRepository {
  abstract find(scope: PartnerScope, id: number): Promise<Alias | null>;
  /** @returns a function that reads the pages of the list. */
  abstract list(scope: PartnerScope, filter: AliasFilter): ReadPage<Alias>;
  /** All aliases of one address, at most `MAX_DESTINATIONS`. */
  abstract ofAddress(scope: PartnerScope, address: string): Promise<Alias[]>;
  /** Counts the aliases of the partner that deliver to the destination; counting stops at `atMost`. */
  abstract countTo(partnerId: number, destination: string, atMost: number): Promise<number>;
  /** @throws AppError `alias_exists` when the address already has that destination. */
  abstract add(alias: Alias): Promise<Alias>;
  /** Removes the aliases and lowers the counts of their domains. */
  abstract remove(aliases: Alias[]): Promise<void>;
  /**
   * Aliases that connect this domain with other domains and would deliver across partners if the domain moved; at most
   * `limit`.
   */
  abstract crossing(domainId: number, limit: number): Promise<Alias[]>;
}
