import type { Page } from '../page.js';

/** The rows with `id % of = remainder`. All slices together contain all rows, also those added meanwhile. */
export interface Slice {
  of: number;
  remainder: number;
}

export type OwnCounts = { domains: number; suppressions: number };

/** The stored counts of a partner, and the numbers of its domains and suppressions. */
export interface PartnerCounts {
  id: number;
  stored: OwnCounts;
  actual: OwnCounts;
}

export type ContentCounts = { mailboxes: number; aliases: number };

/** The stored counts of a domain, and the numbers of its mailboxes and aliases. */
export interface DomainCounts {
  id: number;
  partnerId: number;
  stored: ContentCounts;
  actual: ContentCounts;
}

/**
 * Counts rows, to compare them with the counts that partners and domains store. Locks nothing.
 *
 * `partners` and `domains` read keyset pages by id. The stored and the actual counts of a page are read from one
 * consistent snapshot: they differ only when a stored count is wrong, even while rows are added and deleted.
 */
export abstract class RowCounts {
  abstract partners(slice: Slice, page: Page): Promise<PartnerCounts[]>;
  abstract domains(slice: Slice, page: Page): Promise<DomainCounts[]>;
  /**
   * The numbers of domains and suppressions of the partner. Exact until the end of the unit of work when the partner is
   * locked.
   */
  abstract ownOf(partnerId: number): Promise<OwnCounts>;
  /**
   * The numbers of mailboxes and aliases of the domain. Exact until the end of the unit of work when its partner is
   * locked.
   */
  abstract contentsOf(domainId: number): Promise<ContentCounts>;
}
