import type { DomainName } from '../domains/domain-name.js';
import type { PartnerRef } from '../partners/partner.js';
import type { PartnerRows, PartnerScope } from '../partners/partner-scope.js';
import type { CountedSearch } from '../search.js';
import type { Alias } from './alias.js';

export interface AliasFilter {
  partnerRef?: PartnerRef | undefined;
  domain?: DomainName | undefined;
  address?: string | undefined;
  destination?: string | undefined;
  /** The beginning of the address; null when no address begins so. */
  begins?: { address: string | null } | undefined;
}

/** Reads and writes aliases. Every method treats an alias outside the given partner scope as absent. */
export abstract class AliasRepository {
  abstract find(scope: PartnerScope, id: number): Promise<Alias | null>;
  /** The list, with any filters. */
  abstract search(scope: PartnerScope, filter: AliasFilter): CountedSearch<Alias>;
  /** All aliases of one address, at most `MAX_DESTINATIONS`. */
  abstract ofAddress(scope: PartnerScope, address: string): Promise<Alias[]>;
  /** Counts the aliases in the scope that deliver to the destination; counting stops at `atMost`. */
  abstract countTo(scope: PartnerRows, destination: string, atMost: number): Promise<number>;
  /** @throws AppError `alias_exists` when the address already has that destination. */
  abstract add(alias: Alias): Promise<Alias>;
  /**
   * Writes the destination of an alias, and the mailbox that it delivers to.
   * @throws AppError `alias_exists` when the address already has that destination.
   */
  abstract save(alias: Alias): Promise<void>;
  /** Removes the aliases and lowers the counts of their domains. */
  abstract remove(aliases: Alias[]): Promise<void>;
  /**
   * Aliases that connect this domain with other domains and would deliver across partners if the domain moved; at most
   * `limit`.
   */
  abstract crossing(domainId: number, limit: number): Promise<Alias[]>;
  /**
   * Whether the mail servers of this installation forward to outside addresses.
   *
   * @returns false when the administrator has not stored the setting in the database. On the embedded database always
   * true, because no mail server reads that database.
   */
  abstract isForwardingSetUp(): Promise<boolean>;
}
